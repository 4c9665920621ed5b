import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Two thirds of the processor time of a thread of normal priority. A thread at 10 has a tenth: on a machine that is busy for
 * long, what takes a second of processor time then takes most of a minute, and ends by its time limit.
 */
const NICENESS = 2;

/**
 * Lowers the priority of the calling thread below the other threads of the process, on Linux, the only system with
 * priorities of threads.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // Without /proc or the permission all threads keep the same priority.
  }
}
