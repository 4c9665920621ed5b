import { chmodSync, statSync } from 'node:fs';
import type { Logger } from '../telemetry/logger.ts';

const OF_OTHERS = 0o077;
const WRITE_OF_OTHERS = 0o022;

/** The mode before and after; octal, as in chmod. */
export interface Restricted {
  mode: string;
  isPrivate: boolean;
}

/** Removes the permissions `taken` from a path that has any of them; null where it has none or does not exist. */
export function restrictMode(path: string, taken: number): Restricted | null {
  const mode = modeOf(path);
  if (mode === null || (mode & taken) === 0) return null;
  try {
    chmodSync(path, mode & ~taken);
  } catch {
    // Ignored: the mode is checked again below.
  }
  return { mode: mode.toString(8).padStart(4, '0'), isPrivate: ((modeOf(path) ?? 0) & taken) === 0 };
}

/**
 * Checks the mode of a file with a secret. A file of this user that others may read is made private, and logged. A file of
 * another user, or whose mode cannot be changed (as of mounted secrets), is used as it is, and logged as a warning if
 * others may write it.
 */
export function keepSecretPrivate(path: string, logger: Pick<Logger, 'info' | 'warn'>): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Windows has no such modes, and a pipe of a shell is private.
  if (found === undefined || process.platform === 'win32' || !found.isFile()) return;
  if ((found.mode & OF_OTHERS) === 0) return;
  const isOurs = found.uid === process.geteuid?.();
  const restricted = isOurs ? restrictMode(path, OF_OTHERS) : null;
  if (restricted?.isPrivate) {
    logger.warn(
      { path, mode: restricted.mode },
      'a secret file was open to other users and is private now: replace the secret if they may have read it',
    );
    return;
  }
  const fields = { path, mode: (found.mode & 0o7777).toString(8).padStart(4, '0'), owner: found.uid };
  if ((found.mode & WRITE_OF_OTHERS) !== 0)
    logger.warn(fields, 'a secret file may be changed by other users, and its mode cannot be changed here');
  else logger.info(fields, 'a secret file may be read by other users, and its mode cannot be changed here');
}

function modeOf(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : found.mode & 0o7777;
}
