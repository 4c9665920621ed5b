import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf, type Retention, retainedFrom, type Tier, tierForStep } from './buckets.ts';

/** The max number of points in the response for one series. */
export const MAX_POINTS = 11_000;
const MAX_POINTS_BY_DEFAULT = 500;
const DEFAULT_STEPS_MS = [MINUTE_MS, 5 * MINUTE_MS, HOUR_MS, DAY_MS] as const;

/** A requested range `[from, to)` and step (null for the default step), ms. */
export interface SeriesRange {
  from: number;
  to: number;
  stepMs: number | null;
  now: number;
  retention: Retention;
}

/** The plan of a response: step, tier, and the range extended to whole steps. */
export interface SeriesPlan {
  tier: Tier;
  stepMs: number;
  from: number;
  to: number;
  /** The tier holds complete steps from this time on, so no point may be older. Aligned to the step. */
  retainedFrom: number;
}

export type PlanFault = { code: 'empty_range' } | { code: 'too_many_points'; minStepMs: number };

/** Chooses step and tier for a range, or returns why the range is refused. */
export function planSeries(range: SeriesRange): { plan: SeriesPlan } | { fault: PlanFault } {
  if (!(range.to > range.from)) return { fault: { code: 'empty_range' } };
  const stepMs = range.stepMs ?? defaultStep(range);
  if (pointsOf(range.from, range.to, stepMs) > MAX_POINTS) {
    return { fault: { code: 'too_many_points', minStepMs: minStepMs(range.from, range.to) } };
  }
  const tier = tierForStep(stepMs);
  const from = bucketOf(range.from, stepMs);
  const to = alignUp(range.to, stepMs);
  return {
    plan: {
      tier,
      stepMs,
      from,
      to,
      retainedFrom: alignUp(retainedFrom(tier, range.now, range.retention), stepMs),
    },
  };
}

/** The smallest step of whole seconds that answers a range with at most 11,000 points, in ms. */
export function minStepMs(from: number, to: number): number {
  let step = Math.max(1, Math.ceil((to - from) / (MAX_POINTS * SECOND_MS))) * SECOND_MS;
  while (pointsOf(from, to, step) > MAX_POINTS) step += SECOND_MS;
  return step;
}

/** How many steps a range touches. */
function pointsOf(from: number, to: number, stepMs: number): number {
  return Math.ceil(to / stepMs) - Math.floor(from / stepMs);
}

function alignUp(time: number, stepMs: number): number {
  return Math.ceil(time / stepMs) * stepMs;
}

/** The smallest default step for which the range has at most 500 points and the tier holds the start of the range. */
function defaultStep({ from, to, now, retention }: SeriesRange): number {
  const fits = DEFAULT_STEPS_MS.filter((step) => pointsOf(from, to, step) <= MAX_POINTS_BY_DEFAULT);
  const reachesBack = fits.find((step) => from >= retainedFrom(tierForStep(step), now, retention));
  return reachesBack ?? fits.at(-1) ?? DAY_MS;
}
