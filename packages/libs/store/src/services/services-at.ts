import type { Sql } from '@tidewatch/database/connection';
import type { Fragment } from '../lists/page-rows.ts';
import {
  chosenServices,
  matchesFilter,
  type ServiceFilter,
  serviceCondition,
  serviceTotal,
} from './filter.ts';

/** Statements of the services of a list as of a time, with `host`, `id` and `status_since`. */
export interface ServicesAt {
  /** The common table expressions of the other statements. */
  basis: Fragment;
  /** Counts them; null if that means to read them. */
  total: Fragment | null;
  /** All of them. */
  all: Fragment;
  /** Statements that together have them all and each find the first `take` by name sooner; null if nothing does. */
  parts: ((take: number) => Fragment[]) | null;
}

/**
 * The services that were listed at a time (ms). By name, who was follows from tags, archiving and deletion, and the number is what the
 * counters have less what came since; with a part of a name, several tags or another order all are read.
 */
export function servicesListedAt(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  asOf: number,
  isByName: boolean,
): ServicesAt {
  const basis = sql`changed as materialized (
      select distinct on (service_id) service_id, number, tags, status, status_since, archived_at from service_versions
      where organization_id = ${organizationId} and until > ${asOf} ${isByName ? sql`and is_listing` : sql``}
      order by service_id, number
    ), created as materialized (
      select id from service_names where organization_id = ${organizationId} and first_seen > ${asOf}
    )`;
  const ofChanged = sql`
    from changed v join services c on c.organization_id = ${organizationId} and c.id = v.service_id and c.first_seen <= ${asOf}`;
  const wasThere = sql`(c.deleted_at is null or c.deleted_at > ${asOf}) and ${matchesFilter(sql, filter, 'v')}`;
  const unchanged = sql`
    and c.id not in (select service_id from changed) and c.id not in (select id from created)`;
  const now = serviceCondition(sql, organizationId, filter);
  const asTheyWere = sql`select c.host, c.id, v.status_since ${ofChanged} where ${wasThere}`;
  const all = sql`
    select c.host, c.id, c.status_since from services c where ${now} and c.first_seen <= ${asOf} ${unchanged}
    union all ${asTheyWere}`;
  const counted = isByName && filter.status !== 'archived' ? serviceTotal(sql, organizationId, filter) : null;
  if (counted === null) return { basis, total: null, all, parts: null };
  const total = sql`select (${counted})
    - (select count(*) from created n join services c on c.organization_id = ${organizationId} and c.id = n.id where ${now})
    + (select count(*) filter (where ${wasThere}) - count(*) filter (where ${now}) ${ofChanged})`;
  const ofNow = sql`select c.host, c.id ${chosenServices(sql, organizationId, filter)} ${unchanged}`;
  return { basis, total, all, parts: () => [ofNow, sql`select host, id from (${asTheyWere}) t`] };
}
