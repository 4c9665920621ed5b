import { unpackNumbers } from '@tidewatch/database/packed-numbers';

/** The steps of one metric that have samples, in order, as columns. `at` is the start of the step in ms. */
export interface SeriesPoints {
  at: number[];
  avg: number[];
  min: number[];
  max: number[];
  count: number[];
}

/** The steps with only their means. */
export type SeriesMeans = Pick<SeriesPoints, 'at' | 'avg'>;

/**
 * A row of a query: block, start of the step in ms, and for each slot the packed sum, count, min and max (or mean) as text.
 */
export type PackedRow = [blockId: number, at: number, packed: string];

export function emptyPoints(): SeriesPoints {
  return { at: [], avg: [], min: [], max: [], count: [] };
}

/**
 * The points of each slot of one block, in the order of the slots. Rows of the same step from several tiers are merged.
 * Points are stored as columns, since a chart has tens of thousands.
 */
export function mergePoints(rows: PackedRow[], slots: number): SeriesPoints[] {
  rows.sort(([, a], [, b]) => a - b);
  const points = Array.from({ length: slots }, emptyPoints);
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
      const last = into.at.length - 1;
      if (last >= 0 && into.at[last] === at) {
        into.avg[last] = (into.avg[last] as number) + sum;
        into.count[last] = (into.count[last] as number) + count;
        into.min[last] = Math.min(into.min[last] as number, min);
        into.max[last] = Math.max(into.max[last] as number, max);
        continue;
      }
      into.at.push(at);
      into.avg.push(sum);
      into.count.push(count);
      into.min.push(min);
      into.max.push(max);
    }
  }
  // Until here, `avg` contains sums.
  for (const { avg, count } of points)
    for (let index = 0; index < avg.length; index++)
      avg[index] = (avg[index] as number) / (count[index] as number);
  return points;
}

/** The means of each slot, from rows with only means, one for each step. */
export function collectMeans(rows: PackedRow[], slots: number): SeriesMeans[] {
  rows.sort(([, a], [, b]) => a - b);
  const means = Array.from({ length: slots }, (): SeriesMeans => ({ at: [], avg: [] }));
  const numbers = new Float64Array(slots);
  for (const [, at, packed] of rows) {
    unpackNumbers(packed, numbers);
    for (let slot = 0; slot < slots; slot++) {
      const mean = numbers[slot] as number;
      if (Number.isNaN(mean)) continue;
      const into = means[slot] as SeriesMeans;
      into.at.push(at);
      into.avg.push(mean);
    }
  }
  return means;
}
