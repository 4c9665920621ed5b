import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The bucket widths of the alert counters, narrowest first, in ms. */
export const COUNTER_WIDTHS = [
  ['1m', MINUTE_MS],
  ['1h', HOUR_MS],
  ['1d', DAY_MS],
] as const;

export type CounterWidth = (typeof COUNTER_WIDTHS)[number][0];

/** A range of time `[from, to)` in ms; an infinite bound is open. */
export interface Stretch {
  from: number;
  to: number;
}

export interface AlertWindow {
  /** The whole buckets within the window, for each width. */
  whole: (Stretch & { tier: CounterWidth })[];
  /** Partial minutes, of which `inside` is in the window. */
  edges: { minute: number; inside: Stretch }[];
}

/** Divides a window into the fewest whole buckets and at most two partial minutes. */
export function divideWindow({ from, to }: Stretch): AlertWindow {
  const window: AlertWindow = { whole: [], edges: [] };
  const [first, last] = [ceil(from, MINUTE_MS), floor(to, MINUTE_MS)];
  if (first > last) {
    addEdge(window, from, to);
    return window;
  }
  addEdge(window, from, first);
  addEdge(window, last, to);
  let [low, high] = [first, last];
  for (const [index, [tier]] of COUNTER_WIDTHS.entries()) {
    const wider = COUNTER_WIDTHS[index + 1];
    const [start, end] = wider === undefined ? [high, high] : [ceil(low, wider[1]), floor(high, wider[1])];
    if (start >= end) {
      addWhole(window, tier, low, high);
      break;
    }
    addWhole(window, tier, low, start);
    addWhole(window, tier, end, high);
    [low, high] = [start, end];
  }
  return window;
}

function addEdge(window: AlertWindow, from: number, to: number): void {
  if (from >= to) return;
  window.edges.push({ minute: floor(from, MINUTE_MS), inside: { from, to } });
}

function addWhole(window: AlertWindow, tier: CounterWidth, from: number, to: number): void {
  if (from < to) window.whole.push({ tier, from, to });
}

function floor(time: number, width: number): number {
  return Number.isFinite(time) ? Math.floor(time / width) * width : time;
}

function ceil(time: number, width: number): number {
  return Number.isFinite(time) ? Math.ceil(time / width) * width : time;
}
