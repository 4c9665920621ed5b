import { chmodSync, statSync } from 'node:fs';
import type { Logger } from '../telemetry/logger.ts';

const OF_OTHERS = 0o077;
const WRITE_OF_OTHERS = 0o022;

/** What was found, and what became of it; octal, as chmod takes it. */
export interface Restricted {
  mode: string;
  isPrivate: boolean;
}

/** Takes the permissions `taken` from a path where it has any of them; null where it has none or is not there. */
export function restrictMode(path: string, taken: number): Restricted | null {
  const mode = modeOf(path);
  if (mode === null || (mode & taken) === 0) return null;
  try {
    chmodSync(path, mode & ~taken);
  } catch {
    // What is looked at below decides.
  }
  return { mode: mode.toString(8).padStart(4, '0'), isPrivate: ((modeOf(path) ?? 0) & taken) === 0 };
}

/**
 * Looks at the mode of a secret's file that somebody named in the settings. A file of our own that is open to others is made
 * private. One that belongs to others, or lies where modes cannot be changed, as mounted secrets do, is used as it is. Both are
 * reported, the latter as a warning where others may even write it.
 */
export function keepSecretPrivate(path: string, logger: Pick<Logger, 'info' | 'warn'>): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Windows has no such modes, and what is no file (a pipe of the shell) is nobody else's.
  if (found === undefined || process.platform === 'win32' || !found.isFile()) return;
  if ((found.mode & OF_OTHERS) === 0) return;
  const isOurs = found.uid === process.geteuid?.();
  const restricted = isOurs ? restrictMode(path, OF_OTHERS) : null;
  if (restricted?.isPrivate) {
    logger.warn(
      { path, mode: restricted.mode },
      'a secret file was open to others and is private now: replace the secret if others may have read it',
    );
    return;
  }
  const fields = { path, mode: (found.mode & 0o7777).toString(8).padStart(4, '0'), owner: found.uid };
  if ((found.mode & WRITE_OF_OTHERS) !== 0)
    logger.warn(fields, 'a secret file may be changed by others, and its mode cannot be changed here');
  else logger.info(fields, 'a secret file may be read by others, and its mode cannot be changed here');
}

function modeOf(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : found.mode & 0o7777;
}
