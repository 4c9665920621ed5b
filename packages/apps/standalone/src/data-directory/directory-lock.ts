import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { processStart } from './process-start.ts';

/**
 * The process that has locked a folder, from the file `lock`. The lock itself is SQLite's exclusive lock on the empty
 * database `lock.db`: it ends with its process, and processes of other PID namespaces (containers) see it too. Nothing else
 * in the process may open `lock.db`, because closing it would end the lock.
 */
interface Holder {
  pid: number;
  /** A text that distinguishes this process from a later one with the same pid. */
  start: string;
  since: string;
  /** The name of the machine or container of the process. */
  host?: string;
}

/** The data directory is in use by another process, which the message names. */
export class DirectoryInUseError extends Error {}

/**
 * Locks the folder for this process and returns a function that releases it. Throws DirectoryInUseError if another process
 * or call has locked it. `now` in ms since the epoch.
 */
export function lockDirectory(directory: string, now: number): () => void {
  const release = tryLockDirectory(directory, now);
  if (release) return release;
  const holder = readHolder(directory);
  const by = holder
    ? `process ${holder.pid}${elsewhere(holder)}, running since ${holder.since}`
    : 'another process';
  throw new DirectoryInUseError(
    `${directory} is in use by ${by}. ` +
      'Stop that copy first, or give this one a folder of its own with TIDEWATCH_DATA_DIR.',
  );
}

/** Locks the folder like `lockDirectory`, but returns null if another process has locked it. */
export function tryLockDirectory(directory: string, now: number): (() => void) | null {
  const lock = tryExclusive(join(directory, 'lock.db'));
  if (lock === null) return null;
  const holder = readHolder(directory);
  // Earlier versions used only this file and no lock of the kernel.
  if (holder && holder.pid !== process.pid && processStart(holder.pid) === holder.start) {
    lock.close();
    return null;
  }
  const path = join(directory, 'lock');
  const me: Holder = {
    pid: process.pid,
    start: processStart(process.pid) ?? '',
    since: new Date(now).toISOString(),
    host: hostname(),
  };
  writeFileSync(path, `${JSON.stringify(me)}\n`, { mode: 0o600 });
  return () => {
    rmSync(path, { force: true });
    lock.close();
  };
}

const SQLITE_BUSY = 5;

/** Opens the database at `path` with an exclusive lock; null if another process has it. */
function tryExclusive(path: string): DatabaseSync | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma journal_mode = off; pragma locking_mode = exclusive; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

function elsewhere({ host }: Holder): string {
  return host === undefined || host === hostname() ? '' : ` on ${host}`;
}

function readHolder(directory: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'));
    return Number.isInteger(holder?.pid) ? holder : null;
  } catch {
    return null;
  }
}
