import type { Series } from '../facts.ts';

/** The minimum number of values to compare; if the window has fewer, the last ones before it are added. */
const MIN_VALUES = 4;

/** The means of a series in steps whose starts are multiples of `stepMs`. */
export function inSteps(series: Series, stepMs: number): Series {
  const sums = new Map<number, { sum: number; count: number }>();
  for (let i = 0; i < series.times.length; i++) {
    const start = Math.floor((series.times[i] as number) / stepMs) * stepMs;
    const step = sums.get(start) ?? { sum: 0, count: 0 };
    step.sum += series.values[i] as number;
    step.count += 1;
    sums.set(start, step);
  }
  return {
    times: Float64Array.from(sums.keys()),
    values: Float64Array.from(sums.values(), ({ sum, count }) => sum / count),
  };
}

/** The steps of a series from `from` on, and as many before as the minimum number of values needs. */
export function fromWindow(series: Series, from: number, stepMs: number): Series {
  const inside = series.times.findIndex((time) => time + stepMs > from);
  const begin = inside === -1 ? series.times.length : inside;
  const first = Math.max(0, Math.min(begin, series.times.length - MIN_VALUES));
  return { times: series.times.subarray(first), values: series.values.subarray(first) };
}

/**
 * For each of `times`, the value of `series` at the nearest time within `within` ms, else NaN. Hosts that report every five
 * minutes do so at different minutes, so equal times cannot be required.
 */
export function valuesNear(times: Float64Array, series: Series, within: number): Float64Array {
  let near = 0;
  return times.map((time) => {
    while (near + 1 < series.times.length && distance(series, near + 1, time) <= distance(series, near, time))
      near += 1;
    return distance(series, near, time) <= within ? (series.values[near] as number) : Number.NaN;
  });
}

function distance(series: Series, index: number, time: number): number {
  const at = series.times[index];
  return at === undefined ? Number.POSITIVE_INFINITY : Math.abs(at - time);
}
