import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the size of a folder's files on disk, bytes, counted in blocks: reserved space counts and holes do not. */
export function folderBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += folderBytes(path);
    else if (entry.isFile()) bytes += sizeOf(path);
  }
  return bytes;
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).blocks * 512;
  } catch {
    return 0; // removed meanwhile, as servers do with logs
  }
}
