import type { Service } from '@tidewatch/contracts/services/service';
import type { Sql } from '@tidewatch/database/connection';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { cutRows, type Fragment, pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import {
  chosenServices,
  matchesFilter,
  type ServiceFilter,
  serviceCondition,
  serviceTotal,
} from './filter.ts';
import { readLiveAsOf } from './live-as-of.ts';
import { type ServiceRow, serviceAnswer } from './row.ts';

/**
 * The list of services as of a time (ms): those that existed then, with their status, tags and alert counts of that time.
 * By name, those that have not changed since are read as the list of now reads them, and their number is what the counters have less
 * what came since; with a part of a name, several tags or another order all are read.
 */
export async function listServicesAsOf(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  asOf: number,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Service>> {
  const byName = order.column === 'host';
  const { status } = filter;
  // Who is listed by name follows from tags, archiving and deletion, unless the filter asks for a status that changes with health.
  const isByHealth = !byName || (status !== undefined && status !== 'archived');
  const changed = sql`changed as materialized (
      select distinct on (service_id) service_id, tags, status, status_since, archived_at from service_versions
      where organization_id = ${organizationId} and until > ${asOf} ${isByHealth ? sql`` : sql`and is_listing`}
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
  const counted = byName && status !== 'archived' ? serviceTotal(sql, organizationId, filter) : null;
  const total =
    counted &&
    sql`select (${counted})
      - (select count(*) from created n join services c on c.organization_id = ${organizationId} and c.id = n.id where ${now})
      + (select count(*) filter (where ${wasThere}) - count(*) filter (where ${now}) ${ofChanged})`;
  const all = sql`select * from (
      select c.host, c.id, c.status_since from services c where ${now} and c.first_seen <= ${asOf} ${unchanged}
      union all ${asTheyWere}
    ) l where true`;
  const part = await readPart<ServiceRow & { total: number }>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`
        with ${changed} select (${total ?? sql`select count(*) from (${all}) l`})::int as total`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const by = orderBy(sql, order, backwards);
      const after = comesAfter(sql, order, window.after);
      // Each half has a limit of its own, because PostgreSQL would otherwise sort the whole union.
      const cut = (half: Fragment) =>
        cutRows(
          sql,
          { rows: sql`select * from (${half}) h where true ${after ?? sql``}`, order: by },
          0,
          skip + take,
        );
      const halves = () => sql`select * from (
          (${cut(sql`select c.host, c.id ${chosenServices(sql, organizationId, filter)} ${unchanged}`)})
          union all (${cut(sql`select host, id from (${asTheyWere}) t`)})
        ) l where true`;
      const list = total === null ? { rows: all, after } : { rows: halves(), after: null };
      return sql`
        with ${changed}, ${pageAndTotal(sql, { ...list, order: by, total }, { skip, take }, known)}
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
