import { mean } from '../statistics/robust.ts';

/** The minimum number of points: with fewer, too few remain to correlate when one point is left out. */
const MIN_POINTS = 4;

/**
 * How far two series move together: the mean of Pearson's correlations with one point left out at a time (the jackknife:
 * Quenouille 1956, Tukey 1958). With a handful of samples in an incident a single large one makes any two series look
 * alike; here each may dominate all of the terms but its own.
 *
 * @returns from -1 to 1; null for fewer than four points with two numbers, or where one of them never moves
 */
export function jackknifeCorrelation(xs: Float64Array, ys: Float64Array): number | null {
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
  // Without one point, whose deviations are x and y, a sum of products of deviations is less by xy n / (n - 1).
  const share = n / (n - 1);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const x = dx[i] as number;
    const y = dy[i] as number;
    const restX = xx - x * x * share;
    const restY = yy - y * y * share;
    // The remaining values may be constant except for rounding: then there is no correlation.
    if (restX <= 1e-9 * xx || restY <= 1e-9 * yy) continue;
    sum += Math.max(-1, Math.min(1, (xy - x * y * share) / Math.sqrt(restX * restY)));
  }
  return sum / n;
}

function centered(values: Float64Array): Float64Array {
  const center = mean(values);
  return values.map((value) => value - center);
}
