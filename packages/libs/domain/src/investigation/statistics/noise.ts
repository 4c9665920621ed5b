import { spreadAround } from './robust.ts';

/** The max correlation between neighbouring points of a series that is used, so that a penalty stays finite. */
const MAX_ALIKE = 0.9;

export interface Noise {
  /** Standard deviation, robust against outliers. */
  readonly sigma: number;
  /** How alike neighbours are, 0 to 0.9: the correlation of each value with the one before. */
  readonly alike: number;
  /** Variance that a mean of many values has, times their number: correlated neighbours carry less information than independent values. */
  readonly longRunVariance: number;
}

/** The noise of values around `center`; values that lie more than four deviations off do not count for likeness. */
export function noiseOf(values: Float64Array, center: number): Noise {
  const sigma = spreadAround(values, center);
  const most = 4 * sigma;
  let products = 0;
  let squares = 0;
  for (let i = 1; i < values.length; i++) {
    const before = Math.max(-most, Math.min(most, (values[i - 1] as number) - center));
    const now = Math.max(-most, Math.min(most, (values[i] as number) - center));
    products += before * now;
    squares += before * before;
  }
  const alike = squares > 0 ? Math.max(0, Math.min(MAX_ALIKE, products / squares)) : 0;
  return { sigma, alike, longRunVariance: (sigma * sigma * (1 + alike)) / (1 - alike) };
}
