import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const TMPFS = 0x01021994;
/** Far more than tests keep at a time: several projects beside each other were seen to keep 1 GiB. */
const MIN_FREE_BYTES = 8 * 2 ** 30;
/** Longer than a run lasts. */
const MAX_AGE_MS = 3_600_000;

/**
 * Creates a folder in memory for the temporary files of a run's tests; undefined where the machine has no room for it, or its programs
 * may not run from there.
 *
 * Tests create and drop thousands of tables: on ext4, whose search for a free inode passes over those of recently deleted files, that
 * took a third of PostgreSQL's processor time.
 */
export function createMemoryFolder(): string | undefined {
  return isMemory('/dev/shm') ? createFolderIn('/dev/shm') : undefined;
}

/** Creates a folder that all users may use, and removes those that killed runs left behind. */
export function createFolderIn(parent: string): string {
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `tidewatch-tests-${process.pid}-`));
  // As /tmp: servers run as other users, and may keep sockets here.
  chmodSync(folder, 0o1777);
  return folder;
}

/** Whether a folder is a file system in memory with enough room, from which programs may run. `mounts` is the kernel's list. */
export function isMemory(parent: string, mounts = '/proc/self/mounts'): boolean {
  if (!existsSync(parent) || !existsSync(mounts)) return false;
  const { type, bavail, bsize } = statfsSync(parent);
  const mount = readFileSync(mounts, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, point]) => point === parent);
  const options = mount?.[3]?.split(',') ?? [];
  const free = Math.min(bavail * bsize, freemem());
  return type === TMPFS && options.includes('rw') && !options.includes('noexec') && free >= MIN_FREE_BYTES;
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^tidewatch-tests-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const path = join(parent, name);
    // The process may be of another container.
    if (Date.now() - statSync(path).mtimeMs > MAX_AGE_MS) rmSync(path, { recursive: true, force: true });
  }
}
