import type { Service } from '@tidewatch/contracts/service';
import type { Sql } from '../connection.ts';
import { cutRows } from './page-rows.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';
import { chosenServices, countServices, type ServiceFilter } from './service-filter.ts';
import { type ServiceRow, serviceAnswer, serviceColumns } from './service-row.ts';

/** Services by name; the sort key is (name, id). */
export async function listServices(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  window: PageWindow<readonly [string, string]>,
): Promise<ListPart<Service>> {
  const count = () => countServices(sql, organizationId, filter);
  const part = await readPart(window, count, ({ skip, take, backwards }) => {
    const after =
      window.after === null ? sql`` : sql`and (c.host, c.id) > (${window.after[0]}, ${window.after[1]})`;
    const order = backwards ? sql`c.host desc, c.id desc` : sql`c.host, c.id`;
    return sql<ServiceRow[]>`
      with page as materialized (
        ${cutRows(sql, sql`select c.id ${chosenServices(sql, organizationId, filter)} ${after} order by ${order}`, skip, take)}
      )
      select ${serviceColumns(sql)}
      from page
      join services s on s.org_id = ${organizationId} and s.id = page.id
      left join service_live l on l.org_id = ${organizationId} and l.service_id = page.id
      order by s.host, s.id`;
  });
  return { total: part.total, rows: part.rows.map(serviceAnswer) };
}
