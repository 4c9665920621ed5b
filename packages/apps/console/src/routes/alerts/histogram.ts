import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { AlertFilter } from '../../live/alert-filter.ts';

/** More bars are too narrow to press. */
const MAX_BARS = 48;

export interface HistogramRange {
  /** Milliseconds since the epoch, at whole steps. */
  from: number;
  to: number;
  stepMs: number;
}

/** The range of the histogram: that of the filter, or the last day; in hours, or in days where those are too many. */
export function histogramRange({ from, to }: Pick<AlertFilter, 'from' | 'to'>, now: number): HistogramRange {
  const end = to === undefined ? now : Date.parse(to);
  const start = from === undefined ? end - DAY_MS : Date.parse(from);
  const stepMs = end - start > MAX_BARS * HOUR_MS ? DAY_MS : HOUR_MS;
  const first = Math.floor(start / stepMs) * stepMs;
  return { from: Math.max(first, Math.ceil(end / stepMs) * stepMs - MAX_BARS * stepMs), to: end, stepMs };
}

/** A bar for each step, also for those in which nothing fired. */
export function histogramBars(
  { from, to, stepMs }: HistogramRange,
  points: readonly { t: string; alerts: number }[],
): { at: number; alerts: number }[] {
  const counts = new Map(points.map(({ t, alerts }) => [Date.parse(t), alerts]));
  const length = Math.max(Math.ceil((to - from) / stepMs), 1);
  return Array.from({ length }, (_, index) => {
    const at = from + index * stepMs;
    return { at, alerts: counts.get(at) ?? 0 };
  });
}
