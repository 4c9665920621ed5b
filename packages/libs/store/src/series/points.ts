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
  return { at, avg: sum.map((each, index) => each / (count[index] as number)), min, max, count };
}
