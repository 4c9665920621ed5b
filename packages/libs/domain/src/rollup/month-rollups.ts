import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { RollupColumns } from '../chunk/rollup-row.ts';
import { emptyColumns, type SlotRollups } from './day-rollups.ts';

/** The start of the UTC month that holds a time, ms. */
export function monthOf(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The count of days of the UTC month that begins at `month` (ms): the steps of its rollup row. */
export function daysOfMonth(month: number): number {
  return new Date(
    Date.UTC(new Date(month).getUTCFullYear(), new Date(month).getUTCMonth() + 1, 0),
  ).getUTCDate();
}

/**
 * The rollups of a month with those of the day that begins at `dayStart` (ms) in place of what they had of it. `month` has a
 * step for each day of the month, `day` one step; null stands for a slot without samples.
 */
export function withDay(month: SlotRollups | null, day: SlotRollups, dayStart: number): SlotRollups {
  const steps = daysOfMonth(dayStart);
  const step = (dayStart - monthOf(dayStart)) / DAY_MS;
  return day.map((own, slot) => {
    const before = month?.[slot] ?? null;
    if (own === null && before === null) return null;
    const after = before === null ? emptyColumns(steps) : copyOf(before);
    for (const name of ['sums', 'counts', 'mins', 'maxs'] as const)
      after[name][step] = own === null ? Number.NaN : (own[name][0] as number);
    return after.counts.every(Number.isNaN) ? null : after;
  });
}

const copyOf = ({ sums, counts, mins, maxs }: RollupColumns): RollupColumns => ({
  sums: sums.slice(),
  counts: counts.slice(),
  mins: mins.slice(),
  maxs: maxs.slice(),
});
