import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '@tidewatch/runtime/process/make-folder';
import { PostgresUnusableError } from './unusable.ts';

const STICKY = 0o1000;

/**
 * The folder of the database's socket; one below the temporary folder of the system if the path of the socket would exceed
 * 107 bytes.
 */
export function socketFolder(home: string): string {
  const near = join(home, 'run');
  const longest = 107 - '/.s.PGSQL.5432.lock'.length;
  if (Buffer.byteLength(near) <= longest) {
    return near;
  }
  const name = `tidewatch-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
  const far = join(tmpdir(), name);
  return Buffer.byteLength(far) <= longest ? far : join('/tmp', name);
}

/**
 * Creates the folder of the socket with mode 0700, or accepts a private folder of one of `owners`. Throws
 * PostgresUnusableError for any other, whose owner could replace the socket by another server's.
 */
export function makeSocketFolder(path: string, home: string, owners: readonly number[]): void {
  const isNear = dirname(path) === home;
  const parent = statSync(dirname(path), { throwIfNoEntry: false });
  if (!isNear && parent !== undefined && (parent.mode & 0o022) !== 0 && (parent.mode & STICKY) === 0)
    throw new PostgresUnusableError(
      `${dirname(path)} lets everybody replace what others put there, so the socket of the database cannot lie in it. ` +
        'Set its sticky bit, name another folder in TMPDIR, or use a shorter TIDEWATCH_DATA_DIR.',
    );
  makeFolder(path, 0o700);
  const found = lstatSync(path);
  const isOwn = found.isDirectory() && owners.includes(found.uid);
  if (isOwn && isNear) chmodSync(path, 0o700);
  else if (!isOwn || (found.mode & 0o077) !== 0)
    throw new PostgresUnusableError(
      `${path} is not a private folder of this user, so the socket of the database cannot lie in it. Remove it, or use a ` +
        'shorter TIDEWATCH_DATA_DIR.',
    );
}
