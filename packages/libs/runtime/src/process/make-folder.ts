import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartRefusedError } from './run.ts';

/** Creates a folder with its missing parents, each with `mode`. Throws the error of the file system, with its code. */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.unshift(path);
  // Creates the parents one by one, because Node's recursive mkdir never returns if a folder cannot be created below an
  // existing one, as in /proc.
  for (const path of missing) {
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      // Another process has created the folder meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
}

/** Makes the folder that a setting names. Throws StartRefusedError, which names the setting and says what to do. */
export function makeNamedFolder(setting: string, folder: string, mode?: number): void {
  try {
    makeFolder(folder, mode);
  } catch (error) {
    throw folderRefused(setting, folder, error);
  }
}

/** The error for a folder that could not be created or used; the original error if no system call failed. */
export function folderRefused(setting: string, folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (!code) return error;
  return new StartRefusedError(
    `${setting}: ${folder} cannot be used: ${reasonOf(code, folder, error as Error)}. ` +
      'Name a folder that this user may write.',
  );
}

function reasonOf(code: string, folder: string, error: Error): string {
  const nearest = nearestOf(folder);
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${nearest} is a file`;
  if (code === 'EACCES' || code === 'EPERM') return `this user may not write ${nearest}`;
  if (code === 'EROFS') return `${nearest} is on a read-only file system`;
  if (code === 'ENOSPC') return `the disk of ${nearest} is full`;
  return `${error.message} (${code})`;
}

/** The path itself, or its nearest existing parent. */
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
