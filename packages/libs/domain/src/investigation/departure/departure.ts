import type { Series } from '../facts.ts';
import { isLoad, isPercentage, worseOf } from '../metric-class.ts';
import { mean, quantile, sorted } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';

/** The min number of samples from before the trouble from which a usual range is taken. */
export const MIN_HISTORY = 10;
/** With fewer samples than this the usual range is estimated from their mean and deviation, and orders without naming a cause. */
export const ENOUGH_HISTORY = 30;
/** The deviations on either side of the mean within which 96 % of normal values lie, as between the 2nd and 98th percentile. */
const NORMAL_TAIL = 2.054;
/** The share of the values on either side that does not belong to the usual range, and their min number. */
const TAIL = 0.02;
const MIN_TAIL_VALUES = 5;
/** The min width of the usual range as a share of the largest magnitude ever seen, for metrics that hardly ever move. */
const MIN_WIDTH_SHARE = 0.1;

/**
 * The min width of percentages, in points, and of a load, in processes: a host that uses 3 % of its processors in place of
 * 0.3 % explains nothing.
 */
const MIN_POINTS = 3;
const MIN_LOAD = 0.5;

/** Values that differ by a smaller share of the largest magnitude are the same but for rounding. */
const ROUNDING = 1e-9;

/** A metric that is less than this far outside its usual range, in widths of it, did not leave it: noise alone reaches some hundredths. */
const CALM = 0.1;

/** How far one metric left its own history since the trouble began. */
export interface Departure {
  /**
   * The usual range: from the 2nd to the 98th percentile of the values before, without at least five on either side. Of fewer than
   * 30 values it is where as many normal values with their mean and deviation lie.
   */
  readonly low: number;
  readonly high: number;
  /** The width of the usual range, which is never below a floor, in the unit of the metric. */
  readonly width: number;
  /** The number of values before. */
  readonly count: number;
  /**
   * The distance from the usual range, in widths: the mean of that half of the values which is further away, or of the later half where
   * fewer than 30 are from before. Positive above and negative below the range.
   */
  readonly ranges: number;
  /** The same in the direction in which the metric gets worse, 0 or more; either direction if that is not known. */
  readonly worse: number;
  /** The usual median, in the unit of the metric. */
  readonly median: number;
  /** The distance from the usual median, in widths, taken as `ranges` is; not 0 within the usual range either. */
  readonly level: number;
  /** The time of the first value outside the usual range on that side, ms; null if there is none. */
  readonly startedAt: number | null;
}

/**
 * Measures how far a metric left its own history: the distance of the values since `begin` from the usual range of the
 * values before, in widths of that range. A short earlier fault is not part of the range, since at least five values on
 * either side are left out.
 * @param far values of wider steps from longer before, such as hourly means, by which the usual range is widened
 * @returns null with fewer than ten values before, or without a value since
 */
export function departureOf(
  metric: string,
  series: Series,
  begin: number,
  far?: Float64Array,
): Departure | null {
  const since = slice(series, begin, Number.POSITIVE_INFINITY);
  const usual = rangeOf(metric, slice(series, Number.NEGATIVE_INFINITY, begin).values, since.values, far);
  if (usual === null) return null;
  const { low, high, width, count, median } = usual;
  const distance = count < ENOUGH_HISTORY ? later : further;
  const over = (from: number) => distance(since.values, (value) => (value - from) / width);
  const under = (from: number) => distance(since.values, (value) => (from - value) / width);
  const [above, below] = [over(high), under(low)];
  const [up, down] = [over(median), under(median)];
  const direction = worseOf(metric);
  const worse = direction === 0 ? Math.max(above, below) : direction === 1 ? above : below;
  const isAbove = above >= below;
  const first = since.values.findIndex((value) => (worse === above ? value > high : value < low));
  return {
    low,
    high,
    width,
    count,
    ranges: isAbove ? above : -below,
    worse,
    median,
    level: up >= down ? up : -down,
    startedAt: worse > 0 ? (since.times[first] ?? null) : null,
  };
}

type Range = Pick<Departure, 'low' | 'high' | 'width' | 'count' | 'median'>;

/** The usual range of the values before (`departureOf`); null with fewer than ten of them, or without a value since. */
function rangeOf(
  metric: string,
  values: Float64Array,
  since: Float64Array,
  far: Float64Array = new Float64Array(),
): Range | null {
  if (values.length < MIN_HISTORY || since.length === 0) return null;
  const before = sorted(values);
  const levels = sorted(far);
  const known = levels.length > 0 ? levels : before;
  const isKnown = before.length >= ENOUGH_HISTORY;
  const tail = isKnown ? Math.max(TAIL, MIN_TAIL_VALUES / before.length) : TAIL;
  const near = isKnown ? withoutTails(before, tail) : normalRange(before);
  const wide = levels.length > 0 ? withoutTails(levels, tail) : near;
  const low = Math.min(near[0], wide[0]);
  const high = Math.max(near[1], wide[1]);
  const magnitude = Math.max(...[before, known, sorted(since)].map(magnitudeOf));
  const width = Math.max(high - low, MIN_WIDTH_SHARE * magnitude, floorOf(metric));
  return { low, high, width, count: before.length, median: quantile(known, 0.5) };
}

function withoutTails(ascending: Float64Array, tail: number): [low: number, high: number] {
  return [quantile(ascending, tail), quantile(ascending, 1 - tail)];
}

/** Where 96 % of normal values with the mean and deviation of these lie. */
function normalRange(values: Float64Array): [low: number, high: number] {
  const middle = mean(values);
  const reach = NORMAL_TAIL * Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
  return [middle - reach, middle + reach];
}

/** How far each value of a metric lies outside its usual range in the direction in which it gets worse, in widths of that range; 0 inside. */
export interface Distances {
  /** Of the values from before the trouble, and of those since, by time. */
  readonly before: Float64Array;
  readonly since: Float64Array;
}

/** Measures each value as `departureOf` measures those since `begin`; null with fewer than ten values before, or without a value since. */
export function distancesFromUsual(metric: string, series: Series, begin: number): Distances | null {
  const before = slice(series, Number.NEGATIVE_INFINITY, begin).values;
  const since = slice(series, begin, Number.POSITIVE_INFINITY).values;
  const usual = rangeOf(metric, before, since);
  if (usual === null) return null;
  const { low, high, width } = usual;
  const direction = worseOf(metric);
  const above = (value: number) => (direction === -1 ? 0 : (value - high) / width);
  const below = (value: number) => (direction === 1 ? 0 : (low - value) / width);
  const distance = (value: number) => Math.max(0, above(value), below(value));
  return { before: before.map(distance), since: since.map(distance) };
}

/** Whether a metric that left its usual range by so many widths of it, with sign, stayed as usual. */
export function isUsual(ranges: number): boolean {
  return Math.abs(ranges) < CALM;
}

/**
 * How far a metric left its usual range in widths of that range alone, without a floor. A range that is narrower than the
 * finest step between its values counts as one such step.
 * @param values values of the metric, from before the trouble and since
 * @returns null if the range is not less than half of its floor, so that `ranges` says it already
 */
export function rangesWithoutFloor(
  { low, high, width, ranges }: Departure,
  values: Float64Array,
): number | null {
  if (high - low >= width / 2) return null;
  const own = Math.max(high - low, finestStep(sorted(values)));
  return own === 0 ? 0 : (ranges * width) / own;
}

/** The smallest difference between two ascending values that differ by more than rounding; 0 if none do. */
function finestStep(ascending: Float64Array): number {
  const least = ROUNDING * magnitudeOf(ascending);
  let finest = 0;
  for (let i = 1; i < ascending.length; i++) {
    const step = (ascending[i] as number) - (ascending[i - 1] as number);
    if (step > least && (finest === 0 || step < finest)) finest = step;
  }
  return finest;
}

function floorOf(metric: string): number {
  if (isPercentage(metric)) return MIN_POINTS;
  return isLoad(metric) ? MIN_LOAD : Number.MIN_VALUE;
}

/** The largest magnitude of ascending values; 0 without any. */
function magnitudeOf(ascending: Float64Array): number {
  return Math.max(Math.abs(ascending[0] ?? 0), Math.abs(ascending.at(-1) ?? 0));
}

/** The mean of the further half of the distances, each 0 or more: a trouble may be on for a part of the time only. */
function further(values: Float64Array, distance: (value: number) => number): number {
  const distances = values.map((value) => Math.max(0, distance(value))).sort();
  return mean(distances.subarray(Math.floor(distances.length / 2)));
}

/**
 * The mean of the later half of the distances, each 0 or more: few values from before do not show what swings by itself, and that is mostly back after a
 * while.
 */
function later(values: Float64Array, distance: (value: number) => number): number {
  const distances = values.map((value) => Math.max(0, distance(value)));
  return mean(distances.subarray(Math.floor(distances.length / 2)));
}
