import { unpackNumbers } from './packed-numbers.ts';

/** The steps of one metric that have samples, in order: `size` entries of each column. `at` is the step's start in ms. */
export interface SeriesPoints {
  size: number;
  at: Float64Array;
  avg: Float64Array;
  min: Float64Array;
  max: Float64Array;
  count: Float64Array;
}

/** Block, start of the step in ms, and packed sum, count, min and max of each slot. */
export type PackedRow = [blockId: number, at: number, packed: Buffer];

export function emptyPoints(capacity = 0): SeriesPoints {
  const column = () => new Float64Array(capacity);
  return { size: 0, at: column(), avg: column(), min: column(), max: column(), count: column() };
}

/**
 * The points of each slot of one block, in the order of the slots. Rows of one step, of which each source gives at most
 * one, are merged. Columns of numbers instead of an object for each point, for a chart has tens of thousands.
 */
export function mergePoints(rows: PackedRow[], slots: number): SeriesPoints[] {
  rows.sort(([, a], [, b]) => a - b);
  const points = Array.from({ length: slots }, () => emptyPoints(rows.length));
  const numbers = new Float64Array(4 * slots);
  for (const [, at, packed] of rows) {
    unpackNumbers(packed, numbers);
    for (let slot = 0; slot < slots; slot++) {
      const count = numbers[4 * slot + 1] as number;
      if (count === 0) continue;
      const sum = numbers[4 * slot] as number;
      const min = numbers[4 * slot + 2] as number;
      const max = numbers[4 * slot + 3] as number;
      const into = points[slot] as SeriesPoints;
      const last = into.size - 1;
      if (last >= 0 && into.at[last] === at) {
        into.avg[last] = (into.avg[last] as number) + sum;
        into.count[last] = (into.count[last] as number) + count;
        into.min[last] = Math.min(into.min[last] as number, min);
        into.max[last] = Math.max(into.max[last] as number, max);
        continue;
      }
      into.at[into.size] = at;
      into.avg[into.size] = sum;
      into.count[into.size] = count;
      into.min[into.size] = min;
      into.max[into.size] = max;
      into.size += 1;
    }
  }
  // Until here the sums stood in the place of the means.
  for (const { size, avg, count } of points)
    for (let index = 0; index < size; index++) avg[index] = (avg[index] as number) / (count[index] as number);
  return points;
}
