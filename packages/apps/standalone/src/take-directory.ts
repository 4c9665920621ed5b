import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartRefusedError } from '@tidewatch/runtime/run';
import { makeDataDirectory } from './data-directory.ts';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';

/**
 * Makes the data directory where it is missing and locks it for this process; answers how to release it. Throws
 * StartRefusedError with a sentence where it is in use, cannot be made or cannot be written.
 */
export function takeDirectory(directory: string, now: number): () => void {
  try {
    makeDataDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return lockDirectory(directory, now);
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw new StartRefusedError(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    if (!code) throw error;
    throw new StartRefusedError(
      `TIDEWATCH_DATA_DIR: ${directory} cannot be used: ${reasonOf(code, directory, error as Error)}. ` +
        'Name a folder that this user may write.',
    );
  }
}

function reasonOf(code: string, directory: string, error: Error): string {
  const nearest = nearestOf(directory);
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${nearest} is a file`;
  if (code === 'EACCES' || code === 'EPERM') return `this user may not write ${nearest}`;
  if (code === 'EROFS') return `${nearest} is on a read-only file system`;
  if (code === 'ENOSPC') return `the disk of ${nearest} is full`;
  return `${error.message} (${code})`;
}

/** The path itself, or what there is of it. */
function nearestOf(path: string): string {
  return isThere(path) || dirname(path) === path ? path : nearestOf(dirname(path));
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // below a file, or out of sight
  }
}
