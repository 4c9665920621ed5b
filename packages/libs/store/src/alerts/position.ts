import type { Queryable } from '@tidewatch/database/connection';
import { countWindow, tallies } from './count.ts';
import { COUNTER_WIDTHS } from './count-window.ts';
import type { AlertFilter } from './filter.ts';

/** The bucket widths of the alert counters, widest first: each is searched within one bucket of the previous width. */
const TIERS = COUNTER_WIDTHS.toReversed();

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
  return sql`${start} ${tiers}, position as materialized (
    select c.bucket, c.part, c.skip from (
      select t.bucket, t.part, t.count, o.skip - sum(t.count) over (order by t.bucket desc, t.part desc) + t.count as skip
      from of_1m o cross join lateral (
        select bucket, part, sum(count) as count ${counted('id')} and bucket >= o.bucket and bucket < o.until group by 1, 2
      ) t
    ) c where c.skip >= 0 and c.skip < c.count
  )`;
}
