import type { Service } from '@tidewatch/contracts/services/service';
import type { Sql } from '../connection.ts';
import { pageAndTotal } from './page-rows.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';
import { chosenServices, countServices, type ServiceFilter, serviceTotal } from './service-filter.ts';
import { type ServiceRow, serviceAnswer, serviceColumns } from './service-row.ts';

/** Services by name; the sort key is (name, id). */
export async function listServices(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  window: PageWindow<readonly [string, string]>,
): Promise<ListPart<Service>> {
  const { after } = window;
  const total = serviceTotal(sql, organizationId, filter);
  const rows = sql`select c.host, c.id ${chosenServices(sql, organizationId, filter)}`;
  const part = await readPart<ServiceRow & { total: number }>(
    window,
    () => countServices(sql, organizationId, filter),
    ({ skip, take, backwards }, known) => {
      const order = backwards ? sql`host desc, id desc` : sql`host, id`;
      const follows = after === null ? null : sql`and (host, id) > (${after[0]}, ${after[1]})`;
      const list = { rows, order, total, after: follows };
      return sql`
        with ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, ${serviceColumns(sql)}
        from page
        join services s on s.org_id = ${organizationId} and s.id = page.id
        left join service_live l on l.org_id = ${organizationId} and l.service_id = page.id
        order by page.host, page.id`;
    },
    total === null,
  );
  return { total: part.total, rows: part.rows.map(serviceAnswer) };
}
