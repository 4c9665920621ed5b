import { accessSync, constants } from 'node:fs';
import { folderRefused } from '@tidewatch/runtime/process/make-folder';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { makeDataDirectory } from './data-directory.ts';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';

/**
 * Creates the data directory where it is missing and locks it for this process; returns a function that releases it.
 * Throws StartRefusedError with a sentence where it is in use, cannot be made or cannot be written.
 */
export function takeDirectory(directory: string, now: number): () => void {
  try {
    makeDataDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return lockDirectory(directory, now);
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw new StartRefusedError(error.message);
    throw folderRefused('TIDEWATCH_DATA_DIR', directory, error);
  }
}
