import type { Steps } from './series-columns.ts';

/** The steps of one metric that have samples, in order, as columns. `at` is the start of the step in ms. */
export interface SeriesPoints {
  readonly at: Float64Array;
  readonly avg: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly count: Float64Array;
}

const NONE = new Float64Array();
export const NO_POINTS: SeriesPoints = { at: NONE, avg: NONE, min: NONE, max: NONE, count: NONE };

export function pointsOf({ at, sum, count, min, max }: Steps): SeriesPoints {
  // A loop, because a function for each number makes an object of each.
  const avg = new Float64Array(sum.length);
  for (let index = 0; index < avg.length; index += 1)
    avg[index] = (sum[index] as number) / (count[index] as number);
  return { at, avg, min, max, count };
}
