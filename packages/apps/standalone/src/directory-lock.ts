import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processStart } from './process-start.ts';

interface Holder {
  pid: number;
  /** What tells this process from a later one of the same number. */
  start: string;
  since: string;
}

/** Another process uses the folder; the message says which. */
export class DirectoryInUseError extends Error {}

/** The living process that holds the folder, null when none does. */
export function lockHolder(directory: string): Holder | null {
  const holder = readHolder(join(directory, 'lock'));
  return holder && processStart(holder.pid) === holder.start ? holder : null;
}

/**
 * Takes the folder for this process; answers how to give it back. A lock whose process is gone is taken over,
 * one of a living process throws DirectoryInUseError. `now` in milliseconds since the epoch.
 */
export function lockDirectory(directory: string, now: number): () => void {
  const path = join(directory, 'lock');
  const mine = join(directory, `lock.${process.pid}`);
  const start = processStart(process.pid) ?? '';
  const me: Holder = { pid: process.pid, start, since: new Date(now).toISOString() };
  writeFileSync(mine, `${JSON.stringify(me)}\n`, { mode: 0o600 });
  try {
    while (!tryLink(mine, path)) {
      const holder = lockHolder(directory);
      if (holder) {
        throw new DirectoryInUseError(
          `${directory} is in use by process ${holder.pid}, running since ${holder.since}. ` +
            'Stop that copy first, or give this one a folder of its own with TIDEWATCH_DATA_DIR.',
        );
      }
      discardStale(path);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (readHolder(path)?.pid === process.pid) {
      rmSync(path, { force: true });
    }
  };
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** Of several processes that find a stale lock, one succeeds in moving it away. */
function discardStale(path: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
  }
}

function readHolder(path: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    return Number.isInteger(holder?.pid) ? holder : null;
  } catch {
    return null;
  }
}
