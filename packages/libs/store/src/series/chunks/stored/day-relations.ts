import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { monthOf } from '@tidewatch/domain/rollup/month-rollups';

/** A relation with one row for each block and day, or month. */
export interface DayRelation {
  /** Its place in `DAY_RELATIONS`. */
  readonly index: number;
  readonly name: string;
  /** The column of the day or month. */
  readonly column: 'day' | 'month';
  /** The start of the day or month that holds a time, ms. */
  readonly startOf: (time: number) => number;
}

export const SAMPLE_DAYS: DayRelation = { index: 0, name: 'sample_days', column: 'day', startOf: dayOf };
/** The packed rollups of each tier. */
export const PACKED_ROLLUPS = {
  '1m': { index: 1, name: 'packed_minutes', column: 'day', startOf: dayOf },
  '1h': { index: 2, name: 'packed_hours', column: 'day', startOf: dayOf },
  '1d': {
    index: 3,
    name: 'packed_days',
    column: 'month',
    startOf: (time) => (Number.isFinite(time) ? monthOf(time) : time),
  },
} as const satisfies Record<string, DayRelation>;
export const DAY_RELATIONS: readonly DayRelation[] = [SAMPLE_DAYS, ...Object.values(PACKED_ROLLUPS)];

/** The start of the UTC day that holds a time, ms. */
export function dayOf(time: number): number {
  return bucketOf(time, DAY_MS);
}

/** The start of the first UTC day that begins at or after a time, ms. */
export function dayAfter(time: number): number {
  return Math.ceil(time / DAY_MS) * DAY_MS;
}

/** The date of a day's start, as PostgreSQL reads it. */
export function dateOf(day: number): string {
  if (Number.isFinite(day)) return new Date(day).toISOString().slice(0, 10);
  return day < 0 ? '-infinity' : 'infinity';
}
