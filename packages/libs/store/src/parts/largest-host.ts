import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';

/** How many hosts with the most assigned series are read: slots of parts that are gone stay assigned. */
const CANDIDATES = 20;

/**
 * How many active parts the host has that has the most of them, and how many active series of parts the one with the most of those;
 * `now` in ms. Active is what had a sample within a day.
 */
export async function countLargestHost(
  sql: Queryable,
  organizationId: string,
  now: number,
): Promise<{ parts: number; series: number }> {
  const [row] = await sql<{ parts: number; series: number }[]>`
    with candidates as (
      (select service_id from blocks where organization_id = ${organizationId} and subject_kind = 'part' and listed
        group by service_id order by sum(cardinality(metrics)) desc limit ${CANDIDATES})
      union
      (select service_id from parts where organization_id = ${organizationId} and listed and not gone
        group by service_id order by count(*) desc limit ${CANDIDATES})
    ), active as (
      select l.service_id, count(distinct m.part) as parts, count(*) as series
      from candidates c
      join part_latest l on l.organization_id = ${organizationId} and l.service_id = c.service_id and l.listed
      cross join lateral unnest(l.parts, l.times) as m (part, at)
      where m.at >= ${now - DAY_MS} and m.part is not null
      group by l.service_id
    )
    select coalesce(max(parts), 0)::int as parts, coalesce(max(series), 0)::int as series from active`;
  return row ?? { parts: 0, series: 0 };
}
