import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { Fragment } from '../lists/page-rows.ts';
import { type AlertFilter, alertCondition } from './filter.ts';
import { filterTallies } from './tallies.ts';

/**
 * SQL `from alert_counts r where …` of the runs of the alerts of a minute from `minute` until `end`; further `and` conditions may follow.
 * Only a minute that had thousands of alerts is divided into runs; each begins at (`bucket`, `part`), and ends where the next one begins.
 */
export function runsOfMinute(
  sql: Queryable,
  organizationId: string,
  minute: number | Fragment,
  end: number | Fragment,
) {
  return sql`from alert_counts r where r.organization_id = ${organizationId} and r.tier = 'run'
    and r.bucket >= ${minute} and r.bucket < ${end}`;
}

/**
 * The statement that counts the alerts of a minute that fired before `time` (ms): by runs those before the run of this time, and by rows
 * those of this run, at most some thousands.
 */
export function countInMinute(
  sql: Queryable,
  organizationId: string,
  filter: AlertFilter,
  minute: number,
  time: number,
) {
  const runs = runsOfMinute(sql, organizationId, minute, minute + MINUTE_MS);
  // An index is read from a bound of a subquery, and would not be from one of a join.
  const start = sql`((select bucket from run), (select part from run))`;
  const before = (tier: string) => sql`${filterTallies(sql, organizationId, filter, tier)}
    and bucket >= ${minute} and (bucket, part) < ${start}`;
  const rows = alertCondition(sql, organizationId, { ...filter, from: undefined, to: undefined });
  return sql`
    with first as materialized (
      select r.bucket, r.part ${runs} and (r.bucket, r.part) <= (${time}, '') order by r.bucket desc, r.part desc limit 1
    ), run as materialized (
      select coalesce(r.bucket, m.start) as bucket, coalesce(r.part, '') as part
      from (select ${minute}::timestamptz as start) m left join first r on true
    )
    select (select coalesce(sum(count), 0) from alert_counts where ${before('run')})
      + (select coalesce(sum(count), 0) from alert_count_changes where ${before('id')})
      + (select count(*) from alerts a where ${rows} and (a.fired_at, a.id) >= ${start} and (a.fired_at, a.id) < (${time}, ''))`;
}
