import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Puts the calling thread behind every other of the process wherever both want a processor. Only Linux has priorities of
 * single threads.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10);
  } catch {
    // No /proc, or not allowed: then all have the same.
  }
}
