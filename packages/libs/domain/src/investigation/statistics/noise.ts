import { spreadAround } from './robust.ts';

/** The upper limit for the correlation of neighbouring points, which keeps penalties finite. */
const MAX_ALIKE = 0.9;

export interface Noise {
  /** Standard deviation, robust against outliers. */
  readonly sigma: number;
  /** The correlation of each value with the previous one, 0 to 0.9. */
  readonly alike: number;
  /** The variance of a mean of many values times their number; higher for correlated neighbours. */
  readonly longRunVariance: number;
}

/**
 * Estimates the noise of values around `center`; values more than four deviations away do not count for the correlation of
 * neighbours.
 */
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
