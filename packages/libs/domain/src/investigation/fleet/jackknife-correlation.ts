/** With one pair left out, this many must remain. */
const FEWEST_PAIRS = 4;

/**
 * How far two series move together: the mean of Pearson's correlations with one pair left out at a time (the jackknife:
 * Quenouille 1956, Tukey 1958). With a handful of samples in an incident a single large one makes any two series look
 * alike; here each may dominate all of the terms but its own.
 *
 * @returns from -1 to 1; null for fewer than four pairs of numbers, or where one of them never moves
 */
export function jackknifeCorrelation(xs: Float64Array, ys: Float64Array): number | null {
  const pairs: Array<readonly [number, number]> = [];
  for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
    const x = xs[i] as number;
    const y = ys[i] as number;
    if (Number.isFinite(x) && Number.isFinite(y)) pairs.push([x, y]);
  }
  if (pairs.length < FEWEST_PAIRS) return null;
  const centerX = pairs.reduce((sum, [x]) => sum + x, 0) / pairs.length;
  const centerY = pairs.reduce((sum, [, y]) => sum + y, 0) / pairs.length;
  const total = { x: 0, y: 0, xx: 0, yy: 0, xy: 0 };
  for (const [x, y] of pairs) add(total, x - centerX, y - centerY, 1);
  if (total.xx <= 0 || total.yy <= 0) return null;
  let sum = 0;
  for (const [x, y] of pairs) {
    const rest = { ...total };
    add(rest, x - centerX, y - centerY, -1);
    sum += pearson(rest, pairs.length - 1, total);
  }
  return sum / pairs.length;
}

interface Sums {
  x: number;
  y: number;
  xx: number;
  yy: number;
  xy: number;
}

function add(sums: Sums, x: number, y: number, sign: 1 | -1): void {
  sums.x += sign * x;
  sums.y += sign * y;
  sums.xx += sign * x * x;
  sums.yy += sign * y * y;
  sums.xy += sign * x * y;
}

/** What remains may stand still but for rounding: then nothing moves together. */
function pearson(sums: Sums, n: number, total: Sums): number {
  const xx = sums.xx - (sums.x * sums.x) / n;
  const yy = sums.yy - (sums.y * sums.y) / n;
  if (xx <= 1e-9 * total.xx || yy <= 1e-9 * total.yy) return 0;
  return Math.max(-1, Math.min(1, (sums.xy - (sums.x * sums.y) / n) / Math.sqrt(xx * yy)));
}
