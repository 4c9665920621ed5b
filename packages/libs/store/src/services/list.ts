import type { Service } from '@tidewatch/contracts/services/service';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { readByCursor } from '../lists/by-cursor.ts';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import { commonTags, withoutCommonTags } from './common-tags.ts';
import {
  chosenByManyNames,
  chosenServices,
  countBy,
  countServices,
  type ServiceFilter,
  serviceCondition,
  serviceTotal,
} from './filter.ts';
import { hostsByPart } from './hosts-by-part.ts';
import { listByPart } from './names/list-by-part.ts';
import { type ServiceRow, serviceAnswer, serviceColumns } from './row.ts';
import { rowsByStatusSince } from './rows-by-status-since.ts';

/** The orders of the list: by name, and by the time of the last change of status. */
export const SERVICE_ORDERS = {
  name: { column: 'host', type: 'text' },
  status_since: { column: 'status_since', type: 'timestamptz' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Services in an order; the sort key is (column, id). */
export async function listServices(
  sql: Sql,
  organizationId: string,
  asked: ServiceFilter,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Service>> {
  const isByName = order.column === 'host';
  const { q, status, tag } = asked;
  if (isByName && q !== undefined && status === undefined && tag.length === 0) {
    const part = await listByPart(sql, organizationId, q, order, window);
    if (part !== null) return part;
  }
  const filter = await hostsByPart(sql, organizationId, asked, !isByName);
  const common = isByName ? await commonTags(sql, organizationId, filter) : [];
  const shorter = common.length === 0 ? null : withoutCommonTags(sql, organizationId, filter, common);
  const isOfPart =
    !isByName && filter.q !== undefined && filter.tag.length === 0 && filter.status !== 'archived';
  const total =
    shorter?.total ??
    serviceTotal(sql, organizationId, filter) ??
    (isOfPart ? sql`select count(*) ${chosenServices(sql, organizationId, filter)}` : null);
  const rows = isByName
    ? sql`select c.host, c.id ${shorter?.chosen ?? chosenByManyNames(sql, organizationId, filter)}`
    : sql`select c.status_since, c.id from services c where ${serviceCondition(sql, organizationId, filter)}`;
  const part = await readPart<ServiceRow & { total: number }>(
    window,
    () => (shorter === null ? countServices(sql, organizationId, filter) : countBy(sql, shorter.total)),
    ({ skip, take, backwards }, known) => {
      const isIndexed = isByName && filter.hosts === undefined;
      const by = orderBy(sql, order, backwards);
      const isBySince = !isByName && total !== null && filter.status !== 'archived';
      const list = isBySince
        ? {
            rows: rowsByStatusSince(sql, organizationId, filter, order, window.after, {
              skip,
              take,
              backwards,
            }),
            after: null,
          }
        : { rows, after: comesAfter(sql, order, window.after) };
      const indexed = { isIndexed, ...(isIndexed && { beyond: comesAfterKept(sql, order) }) };
      return sql`
        with ${pageAndTotal(sql, { ...list, ...indexed, order: by, total }, { skip, take }, known)}
        select (select total from counted) as total, ${serviceColumns(sql)}
        from page
        join services s on s.organization_id = ${organizationId} and s.id = page.id
        left join service_live l on l.organization_id = ${organizationId} and l.service_id = page.id
        order by ${orderBy(sql, order, false, 'page')}`;
    },
    total === null,
  );
  return { total: part.total, rows: part.rows.map(serviceAnswer) };
}

/** The condition that a service `c` comes by name after the last one of the relation `list`, which is read forwards. */
function comesAfterKept(sql: Sql, order: ListOrder) {
  const last = (column: 'host' | 'id') =>
    sql`(select ${sql(column)} from list order by ${orderBy(sql, order, true)} limit 1)`;
  return sql`and (c.host, c.id) ${order.descending ? sql`<` : sql`>`} (${last('host')}, ${last('id')})`;
}

/** Yields the whole list in order, in portions. */
export async function* exportServices(
  tx: Transaction,
  organizationId: string,
  filter: ServiceFilter,
  order: ListOrder,
): AsyncGenerator<Service[]> {
  const statement = tx`
    select ${serviceColumns(tx)}
    from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
    where s.organization_id = ${organizationId} and s.id in (
      select c.id from services c where ${serviceCondition(tx, organizationId, filter)})
    order by ${orderBy(tx, order, false, 's')}`;
  for await (const rows of readByCursor<ServiceRow>(tx, statement)) yield rows.map(serviceAnswer);
}
