export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The standard deviation of all values, not of a sample of them. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** The quantile by linear interpolation between the two nearest values; `share` is from 0 to 1. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(at)] as number;
  const upper = sorted[Math.ceil(at)] as number;
  return lower + (upper - lower) * (at - Math.floor(at));
}

/** Pearson's correlation of points; 0 if one side does not vary. */
export function correlationOf(points: ReadonlyArray<readonly [number, number]>): number {
  const [x, y] = [meanOf(points.map(([first]) => first)), meanOf(points.map(([, second]) => second))];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [first, second] of points) {
    xx += (first - x) ** 2;
    yy += (second - y) ** 2;
    xy += (first - x) * (second - y);
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

/** The 95 % interval of a share (Wilson 1927); `share` of `count` cases. */
export function wilson(share: number, count: number): [low: number, high: number] {
  const z = 1.959964;
  const scale = 1 + z ** 2 / count;
  const centre = (share + z ** 2 / (2 * count)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
