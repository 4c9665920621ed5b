/** How many standard deviations of normal noise its median absolute deviation makes (Hampel 1974). */
const MAD_TO_SIGMA = 1.4826;

/** The median; NaN for nothing. Does not change `values`. */
export function median(values: ArrayLike<number>): number {
  return quantile(sorted(values), 0.5);
}

/** Ascending copy. */
export function sorted(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** The quantile `q` (0 to 1) of ascending values, on a straight line between the two nearest; NaN for nothing. */
export function quantile(ascending: Float64Array, q: number): number {
  const at = (ascending.length - 1) * q;
  const low = ascending[Math.floor(at)] ?? Number.NaN;
  const high = ascending[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Spread around `center` as a standard deviation that outliers do not move: 1.4826 × MAD; NaN for nothing. */
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
 * How far something is from nothing, 0 to 1, by its distance in usual spreads: one half at `half`, and a straight line of
 * slope 2 in log odds over the logarithm of the distance (Hill's function of order 2).
 */
export function scoreOfDistance(z: number, half: number): number {
  const square = z * z;
  return Number.isFinite(square) ? square / (square + half * half) : 1;
}
