import type { Series } from '../facts.ts';
import { worseOf } from '../metric-class.ts';
import { quantile, sorted } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';

/** The min number of samples from before the trouble from which a usual range is taken. */
export const MIN_HISTORY = 30;
/** The quantiles between which a metric usually lies. */
const LOW = 0.02;
const HIGH = 0.98;
/** The min width of the usual range as a share of the largest magnitude, for metrics that hardly ever move. */
const MIN_WIDTH_SHARE = 0.05;

/** How far one metric left its own history since the trouble began. */
export interface Departure {
  /** The usual range: from the 2nd to the 98th percentile of the values before. */
  readonly low: number;
  readonly high: number;
  /** The width of the usual range, which is never below a floor, in the unit of the metric. */
  readonly width: number;
  /** The number of values before. */
  readonly count: number;
  /** The distance from the usual range that was reached and kept, in widths; positive above and negative below the range. */
  readonly ranges: number;
  /** The same in the direction in which the metric gets worse, 0 or more; either direction if that is not known. */
  readonly worse: number;
  /** The time of the first value outside the usual range on that side, ms; null if there is none. */
  readonly startedAt: number | null;
}

/**
 * Measures how far a metric left its own history: the distance of the values since `begin` from the 2nd to 98th percentile
 * of the values before, in widths of that range.
 * @param far values of wider steps from longer before, such as hourly means, by which the usual range is widened
 * @returns null with fewer than 30 values before, or without a value since
 */
export function departureOf(
  metric: string,
  series: Series,
  begin: number,
  far: Float64Array = new Float64Array(),
): Departure | null {
  const before = sorted(slice(series, Number.NEGATIVE_INFINITY, begin).values);
  const since = slice(series, begin, Number.POSITIVE_INFINITY);
  if (before.length < MIN_HISTORY || since.values.length === 0) return null;
  const levels = sorted(far);
  const known = levels.length > 0 ? levels : before;
  const low = Math.min(quantile(before, LOW), quantile(known, LOW));
  const high = Math.max(quantile(before, HIGH), quantile(known, HIGH));
  const magnitude = since.values.reduce((most, value) => Math.max(most, Math.abs(value)), Math.abs(low));
  const width = Math.max(high - low, MIN_WIDTH_SHARE * Math.max(magnitude, Math.abs(high)), Number.MIN_VALUE);
  const above = kept(since.values, (value) => (value - high) / width);
  const below = kept(since.values, (value) => (low - value) / width);
  const direction = worseOf(metric);
  const worse = direction === 0 ? Math.max(above, below) : direction === 1 ? above : below;
  const isAbove = above >= below;
  const first = since.values.findIndex((value) => (worse === above ? value > high : value < low));
  return {
    low,
    high,
    width,
    count: before.length,
    ranges: isAbove ? above : -below,
    worse,
    startedAt: worse > 0 ? (since.times[first] ?? null) : null,
  };
}

/** The largest distance that two of the values reached, 0 or more, so that a single value does not make a departure. */
function kept(values: Float64Array, distance: (value: number) => number): number {
  let [most, second] = [0, 0];
  for (const value of values) {
    const own = distance(value);
    if (own > most) [most, second] = [own, most];
    else if (own > second) second = own;
  }
  return values.length < 3 ? most : second;
}
