import type { Service } from '@tidewatch/contracts/services/service';
import type { Sql } from '@tidewatch/database/connection';
import { HEALTH_STATUSES } from '@tidewatch/domain/health/status';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { cutRows, type Fragment, pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import { servicesAtByStatusSince } from './at-by-status-since.ts';
import type { ServiceFilter } from './filter.ts';
import { readLiveAsOf } from './live-as-of.ts';
import { pastIntervals } from './past-intervals.ts';
import { type ServiceRow, serviceAnswer } from './row.ts';
import { type ServicesAt, servicesListedAt } from './services-at.ts';
import { servicesWithStatusAt } from './with-status-at.ts';

/**
 * The list of services as of a time (ms): those that existed then, with their status, tags and alert counts of that time.
 */
export async function listServicesAsOf(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  asOf: number,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Service>> {
  const isByName = order.column === 'host';
  const { basis, total, all, parts } = servicesAt(sql, organizationId, filter, asOf, isByName);
  const part = await readPart<ServiceRow & { total: number }>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`
        with ${basis} select (${total ?? sql`select count(*) from (${all}) l`})::int as total`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const by = orderBy(sql, order, backwards);
      const after = comesAfter(sql, order, window.after);
      // Each part has a limit of its own, because PostgreSQL would otherwise sort the whole union.
      const cut = (rows: Fragment) => {
        const beyond = sql`select * from (${rows}) h where true ${after ?? sql``}`;
        return sql`(${cutRows(sql, { rows: beyond, order: by }, 0, skip + take)})`;
      };
      const some = parts?.(skip + take).map(cut);
      const list =
        some === undefined
          ? { rows: sql`select * from (${all}) l where true`, after }
          : {
              rows: sql`select * from (${some.reduce((union, each) => sql`${union} union all ${each}`)}) l where true`,
              after: null,
            };
      return sql`
        with ${basis}, ${pageAndTotal(sql, { ...list, order: by, total }, { skip, take }, known)}
        select (select total from counted) as total, s.id, s.host, s.first_seen, t.*,
          l.last_seen, l.cpu_percent, l.memory_percent, l.disk_percent
        from page
        join services s on s.organization_id = ${organizationId} and s.id = page.id
        left join service_live l on l.organization_id = ${organizationId} and l.service_id = page.id
        left join lateral (
          select * from service_versions o
          where o.organization_id = ${organizationId} and o.service_id = page.id and o.until > ${asOf} order by o.number limit 1
        ) v on true
        cross join lateral (
          select s.tags, s.status, s.status_reasons, s.status_since, s.active_critical, s.active_warning,
            s.active_info, s.archived_at
          where v.service_id is null
          union all
          select v.tags, v.status, v.status_reasons, v.status_since, v.active_critical, v.active_warning,
            v.active_info, v.archived_at
          where v.service_id is not null
        ) t
        order by ${orderBy(sql, order, false, 'page')}`;
    },
  );
  const seenSince = part.rows.filter((row) => row.last_seen !== null && row.last_seen > asOf);
  const live = await readLiveAsOf(
    sql,
    organizationId,
    seenSince.map(({ id }) => id),
    asOf,
  );
  for (const row of seenSince) Object.assign(row, live.get(row.id));
  return { total: part.total, rows: part.rows.map(serviceAnswer) };
}

function servicesAt(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  asOf: number,
  isByName: boolean,
): ServicesAt {
  const { status, q, tag } = filter;
  if (status !== undefined && status !== 'archived')
    return servicesWithStatusAt(sql, organizationId, { ...filter, status }, asOf, isByName);
  const isPlain = status === undefined && q === undefined && tag.length === 0;
  const listed = servicesListedAt(sql, organizationId, filter, asOf, isByName || isPlain);
  if (isByName || !isPlain || listed.total === null) return listed;
  const basis = sql`${listed.basis}, past as materialized (
      ${pastIntervals(sql, organizationId, HEALTH_STATUSES, asOf, false)}
    )`;
  return servicesAtByStatusSince(sql, organizationId, undefined, asOf, { basis, total: listed.total });
}
