import type { Queryable } from '../database/connection.ts';
import { countWindow, tallies } from './count.ts';
import type { AlertFilter } from './filter.ts';

/** The widths that alerts are counted by, as the list is walked through: each within a bucket of the one before. */
const TIERS = [
  ['1d', '1 day'],
  ['1h', '1 hour'],
  ['1m', '1 minute'],
] as const;

/** Whether `alertPosition` can say where an offset of the filter is: nothing else is counted by moments. */
export function hasPositions({ serviceId, ruleId, host, shadow }: AlertFilter): boolean {
  return (serviceId ?? ruleId ?? host ?? shadow) === undefined;
}

/**
 * Common table expressions that end in `position (bucket, part, skip)`: row `offset` of the list, newest first, is the
 * one that comes `skip` rows into the alerts that fired at `bucket` or before with ids that begin with `part` or what
 * sorts before it. No row where the list is not that long. The offset is carried from the newest alert of all down
 * through days, hours, minutes and moments; alerts newer than the window count as skipped.
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
      select c.bucket, c.bucket + ${width}::interval as until, c.skip from (
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
