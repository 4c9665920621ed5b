import type { Service } from '@tidewatch/contracts/services/service';
import type { Sql } from '@tidewatch/database/connection';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import { matchesFilter, type ServiceFilter, serviceCondition } from './filter.ts';
import { readLiveAsOf } from './live-as-of.ts';
import { type ServiceRow, serviceAnswer } from './row.ts';

/**
 * The list of services as of a time (ms): those that existed then, with their status, tags and alert counts of that time.
 * The matching services are read once for page and total.
 */
export async function listServicesAsOf(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  asOf: number,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Service>> {
  const changed = sql`changed as materialized (
    select distinct on (service_id) * from service_versions
    where organization_id = ${organizationId} and until > ${asOf} order by service_id, number
  )`;
  const rows = sql`
    select * from (
      select c.host, c.id, c.status_since from services c
      where ${serviceCondition(sql, organizationId, filter)} and c.first_seen <= ${asOf}
        and c.id not in (select service_id from changed)
      union all
      select c.host, c.id, v.status_since
      from changed v join services c on c.organization_id = ${organizationId} and c.id = v.service_id
      where c.first_seen <= ${asOf} and (c.deleted_at is null or c.deleted_at > ${asOf})
        and ${matchesFilter(sql, filter, 'v')}
    ) l where true`;
  const part = await readPart<ServiceRow & { total: number }>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`
        with ${changed} select count(*)::int as total from (${rows}) l`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const after = comesAfter(sql, order, window.after);
      const list = { rows, order: orderBy(sql, order, backwards), total: null, after };
      return sql`
        with ${changed}, ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, s.id, s.host, s.first_seen, t.*,
          l.last_seen, l.cpu_percent, l.memory_percent, l.disk_percent
        from page
        join services s on s.organization_id = ${organizationId} and s.id = page.id
        left join service_live l on l.organization_id = ${organizationId} and l.service_id = page.id
        left join changed v on v.service_id = page.id
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
