import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** The most that the heap of a thread may hold, MiB: of what has just been made, and of what has lived for longer. */
export interface ThreadHeap {
  young: number;
  old: number;
}

let isTakenBack = false;

/**
 * Limits for `new Worker`. The option `--max-semi-space-size` of the process wins over what a thread is given, for each heap that is
 * made while it is set, so it is taken back for all threads to come; the heap of the main thread is made already and keeps what it said.
 */
export function threadHeap({ young, old }: ThreadHeap): ResourceLimits {
  if (!isTakenBack) setFlagsFromString('--max-semi-space-size=0');
  isTakenBack = true;
  return { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: old };
}
