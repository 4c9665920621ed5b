import type { Series } from '../facts.ts';
import type { Shift } from '../outlook.ts';
import { firstAt } from '../statistics/slice.ts';

/** A stretch of time `[from, to)`, ms. */
export interface Episode {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the burst, of a symptom that came and went, in which the trouble was noticed (`noticedAt`): neighbouring values
 * that are closer to the observed than to the usual level. For a symptom that climbs, or without such values, it is all of
 * the symptom.
 * @param series means of minutes, so that single samples do not begin or end a burst
 */
export function episodeOf(series: Series, shift: Shift, noticedAt: number, to: number): Episode {
  const whole = { from: shift.startedAt, to };
  if (shift.shape === 'ramp') return whole;
  const { times, values } = series;
  const half = shift.baseline.median + shift.delta / 2;
  const high = (at: number) => ((values[at] ?? Number.NaN) - half) * shift.delta >= 0;
  const end = firstAt(times, to);
  let at = Math.max(0, firstAt(times, noticedAt + 1) - 1);
  // The minute in which the trouble was noticed may be partly calm; the next minute is not.
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
