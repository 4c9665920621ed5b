import type { Sql } from '@tidewatch/database/connection';
import type { Fragment } from '../lists/page-rows.ts';
import type { ServicesAt } from './services-at.ts';

/**
 * The services of `basis`, which has the relations `changed` and `past`, by the time of their last change of status before a time
 * (ms). No service is looked up but those that have had their status since.
 */
export function servicesAtByStatusSince(
  sql: Sql,
  organizationId: string,
  status: string | undefined,
  asOf: number,
  { basis, total }: { basis: Fragment; total: Fragment },
): ServicesAt {
  const now = sql`
    select coalesce(v.status_since, c.status_since) as status_since, c.id
    from services c left join changed v on v.service_id = c.id
    where c.organization_id = ${organizationId} and c.deleted_at is null and c.archived_at is null
      and c.status_at <= ${asOf} and c.first_seen <= ${asOf} ${status === undefined ? sql`` : sql`and c.status = ${status}`}`;
  // The time of a status may change within its interval.
  const past = sql`
    select case when v.number < p.number then v.status_since else p.status_since end as status_since, p.service_id as id
    from past p left join changed v on v.service_id = p.service_id`;
  return { basis, total, all: sql`${now} union all ${past}`, parts: () => [now, past] };
}
