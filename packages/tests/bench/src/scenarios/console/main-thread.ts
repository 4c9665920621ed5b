import type { Browser, Page } from 'playwright-core';

/** An event of Chromium's trace, as far as it is read here. Times are microseconds. */
export interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** The processor time of the thread, microseconds. */
  tdur?: number;
}

const CATEGORIES = [
  '-*',
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
];

/**
 * Runs `load`, which navigates, waits for the mark `until` and resolves to its time since the navigation, ms; returns the
 * processor time of the main thread between both, ms.
 */
export async function traceMainThread(
  browser: Browser,
  page: Page,
  until: string,
  load: () => Promise<number>,
): Promise<number> {
  await browser.startTracing(page, { categories: CATEGORIES });
  let buffer: Buffer;
  let loadedMs: number;
  try {
    loadedMs = await load();
  } finally {
    buffer = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(buffer.toString('utf8')) as { traceEvents: TraceEvent[] };
  return mainThreadCpu(traceEvents, until, loadedMs);
}

/**
 * The processor time of the main thread in the last `withinMs` before the mark, ms. Wall time would include the waiting for other
 * processes.
 */
export function mainThreadCpu(events: readonly TraceEvent[], until: string, withinMs: number): number {
  const mark = events.find(({ name, cat }) => name === until && cat.includes('blink.user_timing'));
  if (mark === undefined) throw new Error(`the trace has no mark "${until}"`);
  return events
    .filter(
      ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === mark.pid && tid === mark.tid,
    )
    .filter(({ ts }) => ts >= mark.ts - 1_000 * withinMs && ts <= mark.ts)
    .reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0);
}
