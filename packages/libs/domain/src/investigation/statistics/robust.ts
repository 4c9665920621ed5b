/** The standard deviation of normally distributed noise, divided by its median absolute deviation (Hampel 1974). */
const MAD_TO_SIGMA = 1.4826;

/** The median, NaN for an empty list. Does not change `values`. */
export function median(values: ArrayLike<number>): number {
  return quantile(sorted(values), 0.5);
}

export function sorted(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** The quantile `q` (0 to 1) of ascending values, with linear interpolation; NaN for an empty list. */
export function quantile(ascending: Float64Array, q: number): number {
  const at = (ascending.length - 1) * q;
  const low = ascending[Math.floor(at)] ?? Number.NaN;
  const high = ascending[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** A standard deviation around `center` that is robust against outliers: 1.4826 × MAD; NaN for an empty list. */
export function spreadAround(values: ArrayLike<number>, center: number): number {
  const distances = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) distances[i] = Math.abs((values[i] as number) - center);
  return MAD_TO_SIGMA * quantile(distances.sort(), 0.5);
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / values.length;
}

/**
 * Maps a distance in usual spreads to a score from 0 to 1 by Hill's function of order 2; the score is one half at `half`.
 */
export function scoreOfDistance(z: number, half: number): number {
  const square = z * z;
  return Number.isFinite(square) ? square / (square + half * half) : 1;
}
