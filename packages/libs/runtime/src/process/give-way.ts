import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lowers the priority of the calling thread below the other threads of the process, on Linux, the only system with
 * priorities of threads.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10);
  } catch {
    // Without /proc or the permission all threads keep the same priority.
  }
}
