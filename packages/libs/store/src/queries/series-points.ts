import { unpackNumbers } from './packed-numbers.ts';

/** The steps of one metric that have samples, in order, by column. `at` is the step's start in ms. */
export interface SeriesPoints {
  at: number[];
  avg: number[];
  min: number[];
  max: number[];
  count: number[];
}

/** The same without the extremes. */
export type SeriesMeans = Omit<SeriesPoints, 'min' | 'max'>;

/** Block, start of the step in ms, and packed sum, count and, where extremes were asked for, min and max of each slot, as text. */
export type PackedRow = [blockId: number, at: number, packed: string];

export function emptyPoints(): SeriesPoints {
  return { at: [], avg: [], min: [], max: [], count: [] };
}

/**
 * The points of each slot of one block, in the order of the slots. Rows of one step, of which each source gives at most
 * one, are merged. Columns of numbers instead of an object for each point, for a chart has tens of thousands.
 */
export function mergePoints(rows: PackedRow[], slots: number): SeriesPoints[] {
  return merge(rows, slots, 4);
}

/** The same of rows without extremes. */
export function mergeMeans(rows: PackedRow[], slots: number): SeriesMeans[] {
  return merge(rows, slots, 2);
}

function merge(rows: PackedRow[], slots: number, width: 2 | 4): SeriesPoints[] {
  rows.sort(([, a], [, b]) => a - b);
  const points = Array.from({ length: slots }, emptyPoints);
  const numbers = new Float64Array(width * slots);
  for (const [, at, packed] of rows) {
    unpackNumbers(packed, numbers);
    for (let slot = 0; slot < slots; slot++) {
      const first = width * slot;
      const [sum, count] = [numbers[first] as number, numbers[first + 1] as number];
      if (count === 0) continue;
      const into = points[slot] as SeriesPoints;
      const last = into.at.length - 1;
      const isMore = last >= 0 && into.at[last] === at;
      if (isMore) {
        into.avg[last] = (into.avg[last] as number) + sum;
        into.count[last] = (into.count[last] as number) + count;
      } else {
        into.at.push(at);
        into.avg.push(sum);
        into.count.push(count);
      }
      if (width === 2) continue;
      const [min, max] = [numbers[first + 2] as number, numbers[first + 3] as number];
      if (isMore) {
        into.min[last] = Math.min(into.min[last] as number, min);
        into.max[last] = Math.max(into.max[last] as number, max);
      } else {
        into.min.push(min);
        into.max.push(max);
      }
    }
  }
  // Until here the sums stood in the place of the means.
  for (const { avg, count } of points)
    for (let index = 0; index < avg.length; index++)
      avg[index] = (avg[index] as number) / (count[index] as number);
  return points;
}
