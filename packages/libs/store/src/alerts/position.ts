import type { Queryable } from '@tidewatch/database/connection';
import { countWindow, tallies } from './count.ts';
import { COUNTER_WIDTHS } from './count-window.ts';
import type { AlertFilter } from './filter.ts';

/** The bucket widths of the alert counters, widest first: each is searched within one bucket of the previous width. */
const TIERS = COUNTER_WIDTHS.toReversed();

/**
 * Within a minute that has more counters of times and ids than this, the rows are skipped one by one in the index, which takes less than
 * to add up the counters.
 */
const MAX_ADDED_COUNTERS = 2_000;

/** Whether `alertPosition` can find an offset for the filter: there are no counters by service, rule, host or shadow mode. */
export function hasPositions({ serviceId, ruleId, host, shadow }: AlertFilter): boolean {
  return (serviceId ?? ruleId ?? host ?? shadow) === undefined;
}

/**
 * Common table expressions that find row `offset` of the list by counters of days, hours, minutes and times. They end in
 * `position (bucket, part, skip)`: the row comes `skip` rows after the first alert at or below (`bucket`, `part`), where
 * `part` is a prefix of an id. No row if the offset is beyond the end.
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
  const ofMinute = sql`${counted('id')} and bucket >= o.bucket and bucket < o.until`;
  // Of a crowded minute the position is its end, which must not be beyond the end of the list.
  return sql`${start} ${tiers}, crowded as materialized (
    select count(*) > ${MAX_ADDED_COUNTERS} as is_crowded from (
      select from of_1m o cross join lateral (select ${ofMinute}) t
      ${to === undefined ? sql`` : sql`where o.until <= ${to}`} limit ${MAX_ADDED_COUNTERS + 1}
    ) first
  ), position as materialized (
    select c.bucket, c.part, c.skip from (
      select t.bucket, t.part, t.count, o.skip - sum(t.count) over (order by t.bucket desc, t.part desc) + t.count as skip
      from of_1m o cross join lateral (select bucket, part, sum(count) as count ${ofMinute} group by 1, 2) t
      where not (select is_crowded from crowded)
    ) c where c.skip >= 0 and c.skip < c.count
    union all
    select until - interval '1 microsecond', '', skip from of_1m where (select is_crowded from crowded)
  )`;
}
