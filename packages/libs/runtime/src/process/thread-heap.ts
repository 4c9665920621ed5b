import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { holdHeapGrowth } from './heap-growth.ts';

/** The maximum heap of a thread, MiB, for its young and its old generation. */
export interface ThreadHeap {
  young: number;
  old: number;
}

let isTakenBack = false;

/**
 * Heap limits for `new Worker`, called right before it. The option `--max-semi-space-size` of the process would override them, so it
 * is unset; the heap of the main thread keeps its size. Options of V8 are the same then for every thread that starts.
 */
export function threadHeap({ young, old }: ThreadHeap): ResourceLimits {
  if (!isTakenBack) setFlagsFromString('--max-semi-space-size=0');
  isTakenBack = true;
  holdHeapGrowth();
  return { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: old };
}
