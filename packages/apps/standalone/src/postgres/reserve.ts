import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The size of the reserve, bytes: enough for the log files that crash recovery writes before the server accepts
 * connections.
 */
const SIZE = 64 * 2 ** 20;
const PIECE = Buffer.alloc(2 ** 20);

/** The free and total bytes of the file system of `folder`, as available to users other than root. */
export function spaceOf(folder: string): { free: number; total: number } {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * Fills the reserve: disk space that is released if the disk is full, so that the database server can restart and serve
 * reads. Does nothing if the reserve exists, or if less than `spare` bytes would stay free.
 */
export async function fillReserve(home: string, spare: number): Promise<void> {
  const path = join(home, 'reserve');
  if (existsSync(path) || spaceOf(home).free < spare + 2 * SIZE) {
    return;
  }
  const making = `${path}.making`;
  try {
    const file = await open(making, 'w', 0o600);
    try {
      for (let written = 0; written < SIZE; written += PIECE.length) {
        await file.write(PIECE);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(making, path);
  } finally {
    await rm(making, { force: true });
  }
}

/** Releases the reserve if hardly any space is free; returns whether there was a reserve. */
export function releaseReserve(home: string): boolean {
  const path = join(home, 'reserve');
  if (!existsSync(path) || spaceOf(home).free >= SIZE) {
    return false;
  }
  rmSync(path, { force: true });
  return true;
}
