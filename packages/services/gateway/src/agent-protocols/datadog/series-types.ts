import type { SeriesType } from '../series/sent-series.ts';

/** By the numbers of the enumeration; 0 stands where the field is absent. A rate was divided by its interval already. */
const TYPES: ReadonlyMap<unknown, SeriesType> = new Map<unknown, SeriesType>([
  [0, 'gauge'],
  [1, 'delta'],
  [2, 'gauge'],
  [3, 'gauge'],
]);

/** What the type of a series means in version 2 of the interface; undefined for one that there is not. */
export function seriesTypeOf(type: unknown): SeriesType | undefined {
  return TYPES.get(type);
}
