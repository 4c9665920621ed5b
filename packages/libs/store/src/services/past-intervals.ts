import type { Sql } from '@tidewatch/database/connection';
import type { Fragment } from '../lists/page-rows.ts';

/** Versions span at most 2^32 seconds. */
const MAX_SPAN = 32;

/**
 * The versions that ended an interval of one of the statuses in which a time (ms) lies: of each span, they end within that span after the
 * time. `isByName` leaves out what only other orders need.
 */
export function pastIntervals(
  sql: Sql,
  organizationId: string,
  statuses: readonly string[],
  asOf: number,
  isByName: boolean,
): Fragment {
  // For the order by name the index has all columns.
  const columns = isByName ? sql`service_id` : sql`service_id, number, status_since`;
  return sql`
    select v.* from generate_series(0, ${MAX_SPAN}::int) n cross join lateral (
      select ${columns} from service_versions
      where organization_id = ${organizationId} and status = any(${statuses as string[]}::text[]) and span = n and span is not null
        and until > ${asOf} and until <= ${asOf}::timestamptz + power(2, n) * interval '1 second' and status_from <= ${asOf}
      offset 0
    ) v`;
}
