import type { Sql } from '@tidewatch/database/connection';
import { contains } from '../lists/contains.ts';
import type { Fragment } from '../lists/page-rows.ts';
import { servicesAtByStatusSince } from './at-by-status-since.ts';
import { chosenServices, type ServiceFilter } from './filter.ts';
import { pastIntervals } from './past-intervals.ts';
import type { ServicesAt } from './services-at.ts';

/** Up to this many services with the status are sorted; of more, the first are picked from all in order. */
const MAX_SORTED_SERVICES = 2_000;
/** Up to this many that have had it since are counted one by one; else those that got it since are deducted from all. */
const MAX_COUNTED_SERVICES = 2_000;
/** Up to this many are picked; of more, all are sorted. */
const MAX_PICKED_SERVICES = 2_000;

/**
 * The services that had a status of health at a time (ms), from the intervals of the status that the time lies in: what that takes
 * depends on how many had the status and how many got it since, however often they changed.
 */
export function servicesWithStatusAt(
  sql: Sql,
  organizationId: string,
  { status, q, tag }: ServiceFilter & { status: string },
  asOf: number,
  isByName: boolean,
): ServicesAt {
  const basis = sql`changed as materialized (
      select distinct on (service_id) service_id, number, tags, status_since from service_versions
      where organization_id = ${organizationId} and until > ${asOf} and is_listing
      order by service_id, number
    ), past as materialized (
      ${pastIntervals(sql, organizationId, [status], asOf, isByName)}
    )`;
  const isNow = sql`c.organization_id = ${organizationId} and c.deleted_at is null and c.archived_at is null
    and c.status = ${status}`;
  const matches = tag.reduce(
    (joined, { name, value }) =>
      sql`${joined} and coalesce(v.tags, c.tags) @> ${sql.json({ [name]: value })}`,
    contains(sql, q, { folded: sql`lower(c.host)`, text: sql`c.host` }),
  );
  // Tags and the time of a status may change within its interval.
  const isPlain = q === undefined && tag.length === 0;
  const isOfNow = isByName && tag.length === 0;
  const then = isOfNow ? sql`` : sql`left join changed v on v.service_id = c.id`;
  const ofNow = sql`
    select c.host, c.id, ${isByName ? sql`c.status_since` : sql`coalesce(v.status_since, c.status_since)`} as status_since
    from services c ${then}
    where ${isNow} and c.status_at <= ${asOf} and c.first_seen <= ${asOf} ${matches}`;
  const isOfPast = sql`c.organization_id = ${organizationId} and c.id = p.service_id`;
  const since = isByName
    ? sql`c.status_since`
    : sql`case when v.number < p.number then v.status_since else p.status_since end`;
  const ofPast =
    isByName && !isPlain
      ? // Those whose tags have not changed since are found by the names and tags of now.
        sql`select c.host, c.id, null ${chosenServices(sql, organizationId, { q, tag })}
          and c.id in (select service_id from past) and c.id not in (select service_id from changed)
        union all
        select c.host, c.id, null from changed v join past p on p.service_id = v.service_id join services c on ${isOfPast}
        where true ${matches}`
      : sql`select c.host, c.id, ${since} from past p join services c on ${isOfPast} ${then} where true ${matches}`;
  const all = sql`${ofNow} union all ${ofPast}`;
  if (!isPlain) return { basis, total: null, all, parts: null };
  const few = sql`select count(*) from (
      select from services c where ${isNow} and c.status_at <= ${asOf} limit ${MAX_COUNTED_SERVICES + 1}
    ) l`;
  const many = sql`(select coalesce(sum(count), 0) from service_counts where organization_id = ${organizationId} and status = ${status})
    - (select count(*) from services c where ${isNow} and c.status_at > ${asOf})`;
  const total = sql`
    select case when unchanged.few <= ${MAX_COUNTED_SERVICES} then unchanged.few else ${many} end
      - (select count(*) from service_names n join services c on c.organization_id = ${organizationId} and c.id = n.id
          where n.organization_id = ${organizationId} and n.first_seen > ${asOf} and ${isNow} and c.status_at <= ${asOf})
      + (select count(*) from past)
    from (${few}) unchanged (few)`;
  if (!isByName) return servicesAtByStatusSince(sql, organizationId, status, asOf, { basis, total });
  const statusThen = sql`case when c.status_at <= ${asOf} then case when c.archived_at is null then c.status end
    else (
      select o.status from service_versions o
      where o.organization_id = ${organizationId} and o.service_id = c.id
        and o.span is not null and o.status_from <= ${asOf} and o.until > ${asOf} limit 1
    ) end`;
  const picked = (those: Fragment) => sql`select c.host, c.id from services c
    where c.organization_id = ${organizationId} and ${those} and c.first_seen <= ${asOf} and ${statusThen} = ${status}
      and (select total from counted) > ${MAX_SORTED_SERVICES}`;
  const sorted = sql`select host, id from (${all}) s`;
  const parts = (take: number) =>
    take > MAX_PICKED_SERVICES
      ? [sorted]
      : [
          sql`${sorted} where (select total from counted) <= ${MAX_SORTED_SERVICES}`,
          picked(sql`c.deleted_at is null`),
          picked(sql`c.deleted_at > ${asOf}`),
        ];
  return { basis, total, all, parts };
}
