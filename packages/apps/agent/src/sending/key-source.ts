import { readFileSync, statSync } from 'node:fs';

/** The key that an agent sends with. */
export interface KeySource {
  /** The file that holds the key and may be replaced; null where the key cannot change while the agent runs. */
  readonly file: string | null;
  /** The key; read again where its file has changed since. */
  current(): string;
  /** Reads the file whatever its times say. Answers whether the key is another than before. */
  reread(): boolean;
}

/** A key from an argument or the environment. */
export function fixedKey(key: string): KeySource {
  return { file: null, current: () => key, reread: () => false };
}

/**
 * The key in `file`, of which `key` was read at the start. A file that is away, unreadable or empty for a moment, as while it is
 * replaced, leaves the key as it was. Links are followed, so that mounted secrets may be swapped.
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
      // The key that was read before is all there is.
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
