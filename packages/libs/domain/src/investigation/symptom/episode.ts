import type { Series } from '../facts.ts';
import type { Shift } from '../outlook.ts';
import { firstAt } from '../statistics/slice.ts';

/** A stretch of time `[from, to)`, ms. */
export interface Episode {
  readonly from: number;
  readonly to: number;
}

/**
 * The one stretch, of a trouble that came and went, that was noticed at `noticedAt`: the values around that time which lie nearer
 * to what was observed than to what is usual, up to the neighbours that do not. What caused it was there then, whatever
 * was there in the stretches before. Without such values, and for what climbs, it is all from the beginning.
 *
 * @param series means of minutes, so that single samples neither end nor begin anything
 */
export function episodeOf(series: Series, shift: Shift, noticedAt: number, to: number): Episode {
  const whole = { from: shift.startedAt, to };
  if (shift.shape === 'ramp') return whole;
  const { times, values } = series;
  const half = shift.baseline.median + shift.delta / 2;
  const high = (at: number) => ((values[at] ?? Number.NaN) - half) * shift.delta >= 0;
  const end = firstAt(times, to);
  let at = Math.max(0, firstAt(times, noticedAt + 1) - 1);
  // The minute in which it was noticed may have been half over; the next one is complete.
  if (!high(at) && at + 1 < end) at += 1;
  if (at >= end || !high(at)) return whole;
  let first = at;
  while (first > 0 && high(first - 1) && (times[first] as number) > shift.startedAt) first -= 1;
  let last = at;
  while (last + 1 < end && high(last + 1)) last += 1;
  return {
    from: Math.max(shift.startedAt, times[first] as number),
    to: last + 1 < end ? (times[last + 1] as number) : to,
  };
}
