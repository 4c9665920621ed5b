import type { Samples } from '../../series-columns.ts';

/** The index of the first of ascending times that is at or after `time`; their number if there is none. */
export function firstAtOrAfter(times: Float64Array, time: number): number {
  const { length } = times;
  if (length === 0 || (times[0] as number) >= time) return 0;
  if ((times[length - 1] as number) < time) return length;
  let low = 0;
  let high = length - 1;
  // times[low] < time <= times[high]
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle;
    else high = middle;
  }
  return high;
}

/** Merges samples, each in order of time; of equal times the one of `later` counts. */
export function mergeSamples(stored: Samples, later: Samples): Samples {
  const [a, b] = [stored.times.length, later.times.length];
  if (b === 0) return stored;
  if (a === 0) return later;
  const times = new Float64Array(a + b);
  const values = new Float64Array(a + b);
  let [left, right, count] = [0, 0, 0];
  while (left < a || right < b) {
    const own = left < a ? (stored.times[left] as number) : Number.POSITIVE_INFINITY;
    const other = right < b ? (later.times[right] as number) : Number.POSITIVE_INFINITY;
    if (other <= own) {
      times[count] = other;
      values[count++] = later.values[right++] as number;
      if (other === own) left += 1;
    } else {
      times[count] = own;
      values[count++] = stored.values[left++] as number;
    }
  }
  return { times: times.subarray(0, count), values: values.subarray(0, count) };
}

/** Merges ascending times; equal ones occur once. */
export function mergeTimes(a: Float64Array, b: Float64Array): Float64Array {
  return mergeSamples({ times: a, values: a }, { times: b, values: b }).times;
}
