import type { Series } from '../facts.ts';

/** The index of the first time at or after `time`. */
export function firstAt(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The part of a series in `[from, to)`, as views without a copy. */
export function slice(series: Series, from: number, to: number): Series {
  const begin = firstAt(series.times, from);
  const end = firstAt(series.times, to);
  return { times: series.times.subarray(begin, end), values: series.values.subarray(begin, end) };
}

/** The last value at or before `time` that is at most `within` ms older; NaN if there is none. */
export function valueAt(series: Series, time: number, within: number): number {
  const at = firstAt(series.times, time + 1) - 1;
  if (at < 0 || time - (series.times[at] as number) > within) return Number.NaN;
  return series.values[at] as number;
}

/** The median distance between consecutive times, ms; 0 for fewer than two. */
export function stepOf(times: Float64Array): number {
  if (times.length < 2) return 0;
  const steps = new Float64Array(times.length - 1);
  for (let i = 1; i < times.length; i++) steps[i - 1] = (times[i] as number) - (times[i - 1] as number);
  return steps.sort()[steps.length >> 1] as number;
}

/** Two series, the second of which begins where the first ends, as one. */
export function chain(first: Series, second: Series): Series {
  const joined = (a: Float64Array, b: Float64Array) => {
    const whole = new Float64Array(a.length + b.length);
    whole.set(a);
    whole.set(b, a.length);
    return whole;
  };
  return { times: joined(first.times, second.times), values: joined(first.values, second.values) };
}
