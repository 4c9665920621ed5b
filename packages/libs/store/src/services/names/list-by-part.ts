import type { Service } from '@tidewatch/contracts/services/service';
import type { Sql } from '@tidewatch/database/connection';
import { comesAfter, type ListOrder, orderBy } from '../../lists/order.ts';
import type { ListPart, PageWindow } from '../../lists/page-window.ts';
import { type ServiceRow, serviceAnswer, serviceColumns } from '../row.ts';
import { isCurrent, type NamesNow, namesNow, namesOf } from './known-names.ts';
import { lowerBound } from './name-directory.ts';

/** So often names are searched if services were listed meanwhile. */
const MAX_ATTEMPTS = 3;

/** Whether names are compared with this text as in memory: other letters than ASCII have rules of their own. */
export function isSearchedInMemory(q: string): boolean {
  return /^[\x20-\x7e]+$/.test(q);
}

/**
 * Services by name with a part of it, from the names in memory: the statement that reads the page says whether these are the names
 * of its snapshot. Returns null where they are not known, or not compared in memory.
 */
export async function listByPart(
  sql: Sql,
  organizationId: string,
  q: string,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Service> | null> {
  if (!isSearchedInMemory(q)) return null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const directory = namesOf(sql, organizationId);
    if (directory === null) return null;
    const found = directory.containing(q);
    const page = pageOf(found, order, window);
    const rows = await sql<(NamesNow & (ServiceRow | { id: null }))[]>`
      with now as materialized (${namesNow(sql, organizationId, directory)})
      select now.listed, now.recent, now.new_since, ${serviceColumns(sql)}
      from now
      left join services s on s.organization_id = ${organizationId} and s.host = any(${page}::text[])
        and s.deleted_at is null and s.archived_at is null ${comesAfter(sql, order, window.after) ?? sql``}
      left join service_live l on l.organization_id = ${organizationId} and l.service_id = s.id
      order by ${orderBy(sql, order, false, 's')} limit ${window.limit + 1}`;
    if (!isCurrent(sql, organizationId, directory, rows[0] as NamesNow)) continue;
    const services = rows.filter((row): row is NamesNow & ServiceRow => row.id !== null);
    return { total: found.length, rows: services.map(serviceAnswer) };
  }
  return null;
}

/** The names among which the rows of a page are. Of a cursor they include its own, since another service may have the name now. */
function pageOf(
  names: string[],
  { descending }: ListOrder,
  { limit, offset, after }: PageWindow<readonly [string | number, string]>,
): string[] {
  const take = limit + (after === null ? 1 : 2);
  if (!descending) {
    const from = after === null ? offset : lowerBound(names, String(after[0]));
    return names.slice(from, from + take);
  }
  const cursor = after === null ? null : lowerBound(names, String(after[0]));
  const end = cursor === null ? names.length - offset : cursor + Number(names[cursor] === after?.[0]);
  return names.slice(Math.max(0, end - take), Math.max(0, end));
}
