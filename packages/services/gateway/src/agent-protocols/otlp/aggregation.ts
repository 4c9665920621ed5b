import type { SeriesType } from '../series/sent-series.ts';

/** What a sum or histogram covers: what was added since its last point, or everything since its start. */
export const Temporality = { unspecified: 0, delta: 1, cumulative: 2 } as const;

/** Flag of a point that says that there is none at this time. */
export const NO_RECORDED_VALUE = 1;

/** The type of the values of a sum; undefined for what cannot be stored: changes of what also goes down, and no temporality. */
export function sumType(temporality: number, isMonotonic: boolean): SeriesType | undefined {
  if (temporality === Temporality.cumulative) return isMonotonic ? 'counter' : 'gauge';
  return temporality === Temporality.delta && isMonotonic ? 'delta' : undefined;
}

/** The type of the counts of a histogram; undefined without temporality. */
export function histogramType(temporality: number): SeriesType | undefined {
  if (temporality === Temporality.cumulative) return 'counter';
  return temporality === Temporality.delta ? 'delta' : undefined;
}
