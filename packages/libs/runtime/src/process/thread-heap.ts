import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/** Maximum heap of a thread, MiB: of its young and of its old generation. */
export interface ThreadHeap {
  young: number;
  old: number;
}

let isTakenBack = false;

/**
 * Limits for `new Worker`. The option `--max-semi-space-size` of the process overrides the limits of a thread that starts while
 * it is set, so it is unset for later threads; the heap of the main thread exists already and keeps its size.
 */
export function threadHeap({ young, old }: ThreadHeap): ResourceLimits {
  if (!isTakenBack) setFlagsFromString('--max-semi-space-size=0');
  isTakenBack = true;
  return { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: old };
}
