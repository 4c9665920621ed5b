import type { Service } from '@tidewatch/contracts/service';
import type { Sql } from '../connection.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';
import { type ServiceFilter, serviceCondition } from './service-filter.ts';
import { type ServiceRow, serviceAnswer, serviceColumns } from './service-row.ts';

/** Services by name; the sort key is (name, id). */
export async function listServices(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  window: PageWindow<readonly [string, string]>,
): Promise<ListPart<Service>> {
  const chosen = serviceCondition(sql, organizationId, filter);
  const count = async () => {
    const [row] = await sql<
      { total: number }[]
    >`select count(*)::int as total from services s where ${chosen}`;
    return row?.total ?? 0;
  };
  const part = await readPart(window, count, ({ skip, take, backwards }) => {
    const after =
      window.after === null ? sql`` : sql`and (s.host, s.id) > (${window.after[0]}, ${window.after[1]})`;
    const order = backwards ? sql`s.host desc, s.id desc` : sql`s.host, s.id`;
    return sql<ServiceRow[]>`
      with page as materialized (
        select s.id from services s where ${chosen} ${after} order by ${order} offset ${skip} limit ${take}
      )
      select ${serviceColumns(sql)}
      from page
      join services s on s.org_id = ${organizationId} and s.id = page.id
      left join service_live l on l.org_id = ${organizationId} and l.service_id = page.id
      order by s.host, s.id`;
  });
  return { total: part.total, rows: part.rows.map(serviceAnswer) };
}
