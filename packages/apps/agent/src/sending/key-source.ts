import { readFileSync, statSync } from 'node:fs';

/** The key with which an agent authenticates. */
export interface KeySource {
  /** The file of the key, which may be replaced; null if the key cannot change while the agent runs. */
  readonly file: string | null;
  /** Returns the key; reads the file again if it has changed. */
  current(): string;
  /** Reads the file even if it seems unchanged. Returns whether the key has changed. */
  reread(): boolean;
}

/** A key from an argument or the environment. */
export function fixedKey(key: string): KeySource {
  return { file: null, current: () => key, reread: () => false };
}

/**
 * The key in `file`; `key` is its content at the start. While the file is missing, unreadable or empty, the previous key is
 * used. Links are followed, because mounted secrets are replaced by swapping a link.
 */
export function keyOfFile(file: string, key: string): KeySource {
  let known = key;
  let version = versionOf(file);

  function reread(): boolean {
    version = versionOf(file);
    const before = known;
    try {
      known = readFileSync(file, 'utf8').trim() || known;
    } catch {
      // Continues with the previous key.
    }
    return known !== before;
  }

  return {
    file,
    current() {
      if (versionOf(file) !== version) reread();
      return known;
    },
    reread,
  };
}

function versionOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return '';
  }
}
