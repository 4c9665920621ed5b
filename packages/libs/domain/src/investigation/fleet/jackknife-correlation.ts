import { mean } from '../statistics/robust.ts';

/** The minimum number of points for a correlation with one of them left out. */
const MIN_POINTS = 4;

export interface Correlation {
  /** From -1 to 1. */
  readonly r: number;
  /** The standard error of `r`. */
  readonly error: number;
}

/**
 * The mean of Pearson's correlations with one point left out at a time (the jackknife: Quenouille 1956, Tukey 1958), so
 * that a single large value does not make two short series look alike, and the standard error by how much these differ.
 * @returns null for fewer than four points with two numbers, or if one series is constant
 */
export function jackknifeCorrelation(xs: Float64Array, ys: Float64Array): Correlation | null {
  const both = (_: number, i: number) => Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
  const dx = centered(xs.filter(both));
  const dy = centered(ys.filter(both));
  const n = Math.min(dx.length, dy.length);
  if (n < MIN_POINTS) return null;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < n; i++) {
    const x = dx[i] as number;
    const y = dy[i] as number;
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  if (xx <= 0 || yy <= 0) return null;
  // Leaving out one point with the deviations x and y reduces a sum of products of deviations by xy n / (n - 1).
  const share = n / (n - 1);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const x = dx[i] as number;
    const y = dy[i] as number;
    const restX = xx - x * x * share;
    const restY = yy - y * y * share;
    // Without this point a series is constant except for rounding, and has no correlation.
    if (restX <= 1e-9 * xx || restY <= 1e-9 * yy) continue;
    const r = Math.max(-1, Math.min(1, (xy - x * y * share) / Math.sqrt(restX * restY)));
    sum += r;
    squares += r * r;
  }
  const r = sum / n;
  return { r, error: Math.sqrt(Math.max(0, (n - 1) * (squares / n - r * r))) };
}

function centered(values: Float64Array): Float64Array {
  const center = mean(values);
  return values.map((value) => value - center);
}
