import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system that is quickly full. */
export interface SmallDisk {
  path: string;
  freeBytes(): number;
  /** Writes a file of zeros until only `leaving` bytes are free. */
  fill(name: string, leaving: number): void;
  free(name: string): void;
  unmount(): void;
}

const PIECE = Buffer.alloc(2 ** 20);

/** Mounts a file system of this size in MiB; throws if this user may not mount. */
export function mountSmallDisk(mebibytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'tidewatch-disk-'));
  const size = `size=${mebibytes}m,mode=755`;
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', path], { encoding: 'utf8' });
  if (done.status !== 0) {
    rmSync(path, { recursive: true });
    throw new Error(`mount: ${done.stderr || done.error?.message}`);
  }
  chmodSync(path, 0o755);
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    freeBytes,
    fill(name, leaving) {
      const file = openSync(join(path, name), 'w');
      try {
        for (let spare = freeBytes() - leaving; spare > 0; spare = freeBytes() - leaving) {
          writeSync(file, PIECE, 0, Math.min(spare, PIECE.length));
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: (name) => rmSync(join(path, name), { force: true }),
    unmount() {
      spawnSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
