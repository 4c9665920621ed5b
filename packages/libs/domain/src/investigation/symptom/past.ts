import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Series } from '../facts.ts';
import { firstAt, slice } from '../statistics/slice.ts';

/** The length of the period before a change whose values define what was usual, ms. */
const REFERENCE_MS = 3 * HOUR_MS;
/** The max number of older values that define what was usual if the reference period holds too few values. */
const MAX_OLDER_VALUES = 180;
/** The minimum number of values (minute means, or samples further apart) that define what is usual. */
export const MIN_PAST_VALUES = 5;
/** A metric with this many known values is compared with its past even if only two of them precede the change. */
export const MIN_KNOWN_VALUES = 10;
const MIN_SHORT_PAST_VALUES = 2;

/** The values that define what was usual before `at` (ms): those of three hours, or more if these are too few. */
export function pastBefore(history: Series, at: number): Series {
  const reference = slice(history, at - REFERENCE_MS, at);
  if (reference.times.length >= MIN_PAST_VALUES) return reference;
  const end = firstAt(history.times, at);
  const begin = Math.max(0, end - MAX_OLDER_VALUES);
  return { times: history.times.subarray(begin, end), values: history.values.subarray(begin, end) };
}

/** Whether the values from before a change suffice as a baseline, given all values of the metric until `to` (ms). */
export function isPast(before: Series, history: Series, to: number): boolean {
  const count = before.times.length;
  if (count >= MIN_PAST_VALUES) return true;
  return count >= MIN_SHORT_PAST_VALUES && firstAt(history.times, to) >= MIN_KNOWN_VALUES;
}
