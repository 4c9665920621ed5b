import { existsSync, rmSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The size of the reserve, bytes: enough for the log files that crash recovery writes before the server accepts
 * connections.
 */
const SIZE = 64 * 2 ** 20;
const PIECE = Buffer.alloc(2 ** 20);

/** Free and total bytes of the file system that holds `folder`, as seen by others than root. */
export function spaceOf(folder: string): { free: number; total: number } {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * Space that is kept back beside the database, so that a server that failed on a full disk can restart and serve reads.
 * Fills it where it is missing and `spare` bytes stay free; costs nothing when it exists.
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

/** Releases the reserve where hardly any space is free; true when there was a reserve. */
export function releaseReserve(home: string): boolean {
  const path = join(home, 'reserve');
  if (!existsSync(path) || spaceOf(home).free >= SIZE) {
    return false;
  }
  rmSync(path, { force: true });
  return true;
}
