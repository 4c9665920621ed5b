import type { Queryable } from '@tidewatch/database/connection';
import { countWindow } from './count.ts';
import { COUNTER_WIDTHS } from './count-window.ts';
import type { AlertFilter } from './filter.ts';
import { runsOfMinute } from './runs.ts';
import { filterTallies, tallies } from './tallies.ts';

/** The bucket widths of the alert counters, widest first: each is searched within one bucket of the previous width. */
const TIERS = COUNTER_WIDTHS.toReversed();

/** Whether `alertPosition` can find an offset for the filter: there are no counters by service, rule, host or shadow mode. */
export function hasPositions({ serviceId, ruleId, host, shadow }: AlertFilter): boolean {
  return (serviceId ?? ruleId ?? host ?? shadow) === undefined;
}

/**
 * Common table expressions that find row `offset` of the list by counters of days, hours and minutes, and of runs in a crowded minute.
 * They end in `position (bucket, part, skip)`: the row comes `skip` rows, at most some thousands, after the first alert below
 * (`bucket`, `part`), where `part` is the beginning of an id. No row if the offset is beyond the end.
 */
export function alertPosition(sql: Queryable, organizationId: string, filter: AlertFilter, offset: number) {
  const { to } = filter;
  const newer =
    to === undefined
      ? sql``
      : sql`+ (${countWindow(sql, organizationId, { ...filter, from: to, to: undefined })})`;
  const counted = (tier: string) => tallies(sql, organizationId, filter, tier);
  const start = sql`all_time as (
    select timestamptz '-infinity' as bucket, timestamptz 'infinity' as until, (${offset}::int8 ${newer}) as skip
  )`;
  const tiers = TIERS.map(([tier, width], index) => {
    const outer = sql(index === 0 ? 'all_time' : `of_${TIERS[index - 1]?.[0]}`);
    return sql`, ${sql(`of_${tier}`)} as materialized (
      select c.bucket, c.bucket + ${`${width / 1_000} seconds`}::interval as until, c.skip from (
        select t.bucket, t.count, o.skip - sum(t.count) over (order by t.bucket desc) + t.count as skip
        from ${outer} o cross join lateral (
          select bucket, sum(count) as count ${counted(tier)} and bucket >= o.bucket and bucket < o.until group by 1
        ) t
      ) c where c.skip >= 0 and c.skip < c.count
    )`;
  });
  const runs = runsOfMinute(sql, organizationId, sql`o.bucket`, sql`o.until`);
  // What is not added up yet is counted in the run that it belongs to. A minute without runs is one.
  return sql`${start} ${tiers}, divided as materialized (
    select o.* from of_1m o where exists (select ${runs})
  ), of_run as materialized (
    select bucket, '' as part, until, skip from of_1m where not exists (select from divided)
    union all
    select c.bucket, c.part, c.until, c.skip from (
      select t.bucket, t.part, t.count, o.until,
        o.skip - sum(t.count) over (order by t.bucket desc, t.part desc) + t.count as skip
      from divided o cross join lateral (
        select bucket, part, sum(count) as count from (
          select bucket, part, count ${counted('run')} and bucket >= o.bucket and bucket < o.until
          union all
          select coalesce(r.bucket, o.bucket), coalesce(r.part, ''), a.count from (
            select bucket, part, count from alert_count_changes
            where ${filterTallies(sql, organizationId, filter, 'id')} and bucket >= o.bucket and bucket < o.until
          ) a
          left join lateral (
            select r.bucket, r.part ${runs} and (r.bucket, r.part) <= (a.bucket, a.part)
            order by r.bucket desc, r.part desc limit 1
          ) r on true
        ) e group by 1, 2
      ) t
    ) c where c.skip >= 0 and c.skip < c.count
  ), ends as materialized (
    select coalesce(next.bucket, o.until) as bucket, coalesce(next.part, '') as part, o.skip
    from of_run o
    left join lateral (
      select r.bucket, r.part ${runs} and (r.bucket, r.part) > (o.bucket, o.part) order by r.bucket, r.part limit 1
    ) next on true
  ), position as materialized (${to === undefined ? sql`select * from ends` : cutAt(sql, to, offset)})`;
}

/** The position within the list, whose first alert may be within the run. */
function cutAt(sql: Queryable, to: number, offset: number) {
  const end = sql`(${to}::timestamptz, '')`;
  return sql`select * from ends where (bucket, part) <= ${end}
    union all select ${to}::timestamptz, '', ${offset}::int8 from ends where (bucket, part) > ${end}`;
}
