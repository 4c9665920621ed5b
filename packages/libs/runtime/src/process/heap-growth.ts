import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** By how much a heap grows that is neither small nor large, bytes. */
const GROWTH = 64 * 1_048_576;
/** By so much a large heap grows in any case, and a small one at most, in percent of what lives. */
const MIN_PERCENT = 30;
const MAX_PERCENT = 100;
const STEP = 5;
/** How long the option stays the same for a thread that starts and loads its modules, ms. */
const THREAD_START_MS = 5_000;

/** How many heaps are adapted, the percentage that is set, and until when it stays, by `performance.now()`. */
const state = { adaptations: 0, percent: 0, heldUntilMs: Number.NEGATIVE_INFINITY };

function setPercent(percent: number): void {
  if (percent === state.percent) return;
  state.percent = percent;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** By how many percent of what lives a heap of `usedBytes` may grow until all of it is collected again. */
export function growthPercent(usedBytes: number): number {
  const percent = Math.round((100 * GROWTH) / usedBytes / STEP) * STEP;
  return Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, percent));
}

/**
 * Lets the heap of this process grow by much while it is small and by little once it is large: V8's `--heap-growing-percent`
 * is one number, by which a small heap is collected every few requests or a large one holds much garbage. Returns a function
 * that ends it. V8 reads the option of the process, for all of its threads, whenever it has collected a whole heap; it is set
 * after collections of the young generation too, by which a heap that grows fast is known to be large before that.
 */
export function adaptHeapGrowth(): () => void {
  const observer = new PerformanceObserver(() => {
    if (performance.now() >= state.heldUntilMs) setPercent(growthPercent(getHeapStatistics().used_heap_size));
  });
  observer.observe({ entryTypes: ['gc'] });
  state.adaptations += 1;
  return () => {
    observer.disconnect();
    state.adaptations -= 1;
  };
}

/**
 * Sets the option to the same value for every thread that starts, and keeps it while the thread loads its modules. V8 reuses
 * compiled modules only under the options that they were compiled with. The smallest value, so that a large heap stays small.
 */
export function holdHeapGrowth(): void {
  if (state.adaptations === 0) return;
  state.heldUntilMs = performance.now() + THREAD_START_MS;
  setPercent(MIN_PERCENT);
}
