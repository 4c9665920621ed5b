import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { Fragment } from './page-rows.ts';

/** What is counted: SQL after `from`, of counters with `day` and `count`, and of the rows with the SQL of their time. */
interface CountedByDay {
  days: Fragment;
  rows: Fragment;
  time: Fragment;
}

/** The statement that counts rows with a time in `[from, to)` (ms): whole days in UTC by their counters, the others row by row. */
export function countByDay(
  sql: Queryable,
  {
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
  }: { from?: number | undefined; to?: number | undefined },
  { days, rows, time }: CountedByDay,
): Fragment {
  const within = (start: number, end: number) =>
    start < end ? sql`+ (select count(*) from ${rows} and ${time} >= ${start} and ${time} < ${end})` : sql``;
  const [first, last] = [Math.ceil(from / DAY_MS) * DAY_MS, Math.floor(to / DAY_MS) * DAY_MS];
  if (first >= last) return sql`select 0 ${within(from, to)}`;
  return sql`
    select (select coalesce(sum(count), 0) from ${days}
        and day >= (${first}::timestamptz at time zone 'UTC')::date and day < (${last}::timestamptz at time zone 'UTC')::date)
      ${within(from, first)} ${within(last, to)}`;
}
