import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** The maximum heap of a thread, MiB, for its young and its old generation. */
export interface ThreadHeap {
  young: number;
  old: number;
}

let isTakenBack = false;

/**
 * Heap limits for `new Worker`. The process option `--max-semi-space-size` would override the limits of a new thread, so it
 * is unset; the existing heap of the main thread keeps its size.
 */
export function threadHeap({ young, old }: ThreadHeap): ResourceLimits {
  if (!isTakenBack) setFlagsFromString('--max-semi-space-size=0');
  isTakenBack = true;
  return { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: old };
}
