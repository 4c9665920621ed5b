import { accessSync, constants } from 'node:fs';
import { folderRefused } from '@tidewatch/runtime/process/make-folder';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { makeDataDirectory } from './data-directory.ts';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';

/**
 * Creates the data directory if it is missing, and locks it for this process; returns a function that releases it. Throws
 * StartRefusedError if it is in use, or cannot be created or written.
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
