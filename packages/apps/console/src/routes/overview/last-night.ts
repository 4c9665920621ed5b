import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Zone } from '../../components/time/time-format.ts';

export interface Night {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  name: 'Last night' | 'Tonight';
}

/** The night that ends in the morning of today, or from 18:00 on the one that has begun: 18:00 to 08:30, at most until now. */
export function lastNight(now: number, zone: Zone): Night {
  const evening = at(now, zone, 18, 0, 0);
  if (evening <= now) return { from: evening, to: now, name: 'Tonight' };
  return {
    from: at(now, zone, 18, 0, -1),
    to: Math.min(at(now, zone, 8, 30, 0), now),
    name: 'Last night',
  };
}

function at(now: number, zone: Zone, hour: number, minute: number, days: number): number {
  const time = new Date(now);
  if (zone === 'utc') {
    time.setUTCDate(time.getUTCDate() + days);
    return time.setUTCHours(hour, minute, 0, 0);
  }
  time.setDate(time.getDate() + days);
  return time.setHours(hour, minute, 0, 0);
}

/** An hour and the number of alerts that fired in it. */
export interface HourCount {
  /** Its beginning, milliseconds since the epoch. */
  at: number;
  alerts: number;
}

/** The number of alerts of each hour of a night, in order; hours without alerts are zero. */
export function hourlyCounts(
  { from, to }: Pick<Night, 'from' | 'to'>,
  points: readonly { t: string; alerts: number }[],
): HourCount[] {
  const first = Math.floor(from / HOUR_MS);
  const counts = Array.from({ length: Math.max(Math.ceil(to / HOUR_MS) - first, 1) }, () => 0);
  for (const { t, alerts } of points) {
    const index = Math.floor(Date.parse(t) / HOUR_MS) - first;
    if (index >= 0 && index < counts.length) counts[index] = (counts[index] ?? 0) + alerts;
  }
  return counts.map((alerts, index) => ({ at: (first + index) * HOUR_MS, alerts }));
}
