import type { Sql } from '@tidewatch/database/connection';
import { HEALTH_STATUSES } from '@tidewatch/domain/health/status';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { cutRows, type Fragment } from '../lists/page-rows.ts';
import type { Slice } from '../lists/page-window.ts';
import { type ServiceFilter, serviceCondition } from './filter.ts';

/** Up to this many services of a tag are sorted; of more, those with the tag are picked from all services in order. */
const MAX_SORTED_SERVICES = 1_000;

/**
 * The first `skip + take` services of the order by the time of the last change of status, which are read from an index of each status.
 * The filter has either one tag at most or a part of a name; `counted (total)` is the number of services that match it.
 */
export function rowsByStatusSince(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  order: ListOrder,
  after: readonly [string | number, string] | null,
  { skip, take, backwards }: Slice,
): Fragment {
  const [tag] = filter.tag;
  const total = sql`(select total from counted)`;
  const cut = (rows: Fragment) => {
    const chosen = sql`select * from (${rows}) r where true ${comesAfter(sql, order, after) ?? sql``}`;
    return sql`(${cutRows(sql, { rows: chosen, order: orderBy(sql, order, backwards) }, 0, skip + take)})`;
  };
  const ofStatus = (status: string) => sql`
    select c.status_since, c.id from services c
    where ${serviceCondition(sql, organizationId, { ...filter, status })}
      ${tag === undefined ? sql`` : sql`and ${total} > ${MAX_SORTED_SERVICES}`}`;
  const statuses = filter.status === undefined ? HEALTH_STATUSES : [filter.status];
  const parts = statuses.map((status) => cut(ofStatus(status)));
  if (tag !== undefined)
    parts.push(
      cut(sql`
        select c.status_since, c.id
        from service_tags t join services c on c.organization_id = ${organizationId} and c.id = t.id
        where t.organization_id = ${organizationId} and t.name = ${tag.name} and t.value = ${tag.value}
          and ${total} <= ${MAX_SORTED_SERVICES} and ${serviceCondition(sql, organizationId, filter)}`),
    );
  return sql`select * from (${parts.reduce((union, part) => sql`${union} union all ${part}`)}) l where true`;
}
