import type { Series, Usual } from '../facts.ts';
import { mean, median } from '../statistics/robust.ts';
import { firstAt } from '../statistics/slice.ts';

/** The standard deviation that a median absolute deviation of one stands for, where noise is normal. */
const MAD_TO_SIGMA = 1.4826;
/** The minimum usual spread of a metric in percent, in percentage points. */
const FLOOR_PERCENT = 0.5;
/** If fewer values than this precede the window, the usual spread is computed from changes within the window. */
const MIN_KNOWN = 5;
/** The minimum number of steps just before the window from which the usual change per step is computed. */
const MIN_NEAR = 8;
/** The minimum number of values in the window before the trouble from which a level is computed. */
const MIN_CALM = 5;
/** A value counts as moved if it is this many usual spreads away from the earlier level. */
const AWAY = 3;

export interface RankingParameters {
  /** The minimum spread of a metric as a share of its magnitude; a smaller spread is raised to this minimum. */
  readonly floorShare: number;
  /** The number of usual spreads at which the strength is one half. */
  readonly halfExcess: number;
  /** The number of floors above the usual level that gives full strength to a metric that had never moved before. */
  readonly flatExcess: number;
}

/** The parameters were chosen in advance and not fitted; decision 0060 shows that they hardly affect the ranking. */
export const PARAMETERS: RankingParameters = { floorShare: 0.001, halfExcess: 4, flatExcess: 3 };

/** How much a metric moved within the investigated window. */
export interface Movement {
  /** The usual variation of the metric in its unit: a standard deviation that is never below a floor. */
  readonly spread: number;
  /** Whether the spread is the floor because the metric never varied before; then the size of the movement says little. */
  readonly flat: boolean;
  /** The change of the metric when the trouble began, in the unit of the metric; null if unknown. */
  readonly rise: number | null;
  /** The deviation in the window beyond the usual deviation, as a multiple of the usual deviation; 0 for none. */
  readonly excess: number;
  /** 0 to 1 */
  readonly strength: number;
  /** The time at which the metric left its earlier level, ms; null if it did not. */
  readonly startedAt: number | null;
}

/**
 * How strongly a metric moved: its deviation within the window in usual spreads (1.4826 × MAD; Hampel 1974), or half its
 * rise since the trouble began if that is more. Strength is `excess / (excess + halfExcess)`; a metric that never varied
 * has full strength from `flatExcess` floors on.
 * @param before values of the same or wider steps from before the window, which define what is usual
 * @param since when the trouble began, ms; null if unknown
 */
export function movementOf(
  metric: string,
  window: Series,
  usual: Usual,
  parameters: RankingParameters,
  before: Float64Array = new Float64Array(),
  since: number | null = null,
): Movement {
  const floor = floorOf(metric, window, usual, parameters.floorShare);
  const known = usual.count >= MIN_KNOWN;
  const near = before.length >= MIN_NEAR ? before : known ? null : window.values;
  const measured =
    MAD_TO_SIGMA *
    Math.max(known ? usual.mad : 0, near === null || near.length < 2 ? 0 : medianChange(near) / Math.SQRT2);
  const flat = known && !(measured > floor);
  const spread = Math.max(floor, measured);
  const rise = since === null ? null : riseSince(window, since);
  const moved = Math.max(deviation(window.values), Math.abs(rise ?? 0) / 2);
  const excess = Math.max(0, moved / spread - 1);
  const strength = strengthOf(excess, flat, parameters);
  return { spread, flat, rise, excess, strength, startedAt: onset(window, spread) };
}

/** The strength, 0 to 1, of a movement that exceeds the usual one by `excess` usual spreads (see `movementOf`). */
export function strengthOf(
  excess: number,
  flat: boolean,
  { halfExcess, flatExcess }: RankingParameters,
): number {
  return flat ? Math.min(1, excess / flatExcess) : excess / (excess + halfExcess);
}

/** The mean from `since` on, less the median before; null if there are too few values on either side. */
function riseSince({ times, values }: Series, since: number): number | null {
  const begin = firstAt(times, since);
  if (begin < MIN_CALM || begin === values.length) return null;
  return mean(values.subarray(begin)) - median(values.subarray(0, begin));
}

/** The median change from one value to the next (von Neumann 1941 takes their mean square). */
function medianChange(values: Float64Array): number {
  return median(values.subarray(1).map((value, i) => Math.abs(value - (values[i] as number))));
}

function floorOf(metric: string, window: Series, usual: Usual, share: number): number {
  const known = usual.count > 0 ? [usual.min, usual.max] : [];
  const magnitude = Math.max(0, ...[...known, ...window.values].map(Math.abs).filter(Number.isFinite));
  const least = metric.endsWith('_percent') ? FLOOR_PERCENT : Number.MIN_VALUE;
  return Math.max(share * magnitude, least);
}

/**
 * The index at which the largest deviation began: from it backwards while values stay more than three spreads, and a tenth
 * of the deviation, away from the level of the window's calmer half.
 */
function onset(window: Series, spread: number): number | null {
  const { times, values } = window;
  const level = levelOf(values);
  const away = (i: number) => Math.abs((values[i] as number) - level);
  let peak = 0;
  for (let i = 1; i < values.length; i++) if (away(i) > away(peak)) peak = i;
  const enough = Math.max(AWAY * spread, 0.1 * away(peak));
  if (!(away(peak) > enough)) return null;
  let first = peak;
  while (first > 0 && away(first - 1) > enough) first -= 1;
  return times[first] as number;
}

/**
 * The middle of the shortest interval with half of the values (the shorth: Andrews et al. 1972), which a deviation of fewer
 * values does not move.
 */
function levelOf(values: Float64Array): number {
  const sorted = Float64Array.from(values).sort();
  const half = Math.ceil(sorted.length / 2);
  let best = 0;
  const width = (i: number) => (sorted[i + half - 1] as number) - (sorted[i] as number);
  for (let i = 1; i + half <= sorted.length; i++) if (width(i) < width(best)) best = i;
  return median(sorted.subarray(best, best + half));
}

/** The standard deviation of a sample (n - 1); 0 of fewer than two values. */
export function deviation(values: Float64Array): number {
  if (values.length < 2) return 0;
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
}
