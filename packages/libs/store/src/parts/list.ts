import type { HostPart } from '@tidewatch/contracts/parts/part-list';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';
import { readByCursor } from '../lists/by-cursor.ts';
import { type Fragment, pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import { type PartFilter, partCondition } from './part-filter.ts';
import { comesAfter, joinValues, orderBy, type PartKey, type PartOrder } from './part-order.ts';

export interface ListedRow extends Omit<HostPart, 'time'> {
  time: number;
}

/** A page of the parts that are there, of services that are listed, in an order. */
export async function listParts(
  sql: Sql,
  organizationId: string,
  filter: PartFilter,
  order: PartOrder,
  window: PageWindow<PartKey>,
): Promise<ListPart<HostPart>> {
  const isIndexed = order.value === null;
  const rows = sql`
    select p.kind, p.name, p.host, p.id ${isIndexed ? sql`` : sql`, s.rank, s.value`}
    from parts p ${joinValues(sql, organizationId, order, filter.host)}
    where ${partCondition(sql, organizationId, filter)}`;
  const count = sql`select count(*) from parts p where ${partCondition(sql, organizationId, filter)}`;
  const part = await readPart<ListedRow & { total: number }>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`select (${count})::int as total`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const after = comesAfter(sql, order, window.after);
      // Counted apart, a page by values needs no sorted list of all rows.
      const total = isIndexed ? null : count;
      const list = { rows, order: orderBy(sql, order, backwards), total, after, isIndexed };
      return sql`
        with ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, ${columns(sql)}
        from page join parts p on p.organization_id = ${organizationId} and p.id = page.id ${latestValues(sql)}
        order by ${orderBy(sql, order, false, { values: 'page', parts: 'p' })}`;
    },
  );
  return { total: part.total, rows: part.rows.map(partAnswer) };
}

/** Yields the whole list in order, in portions. */
export async function* exportParts(
  tx: Transaction,
  organizationId: string,
  filter: PartFilter,
  order: PartOrder,
): AsyncGenerator<HostPart[]> {
  const statement = tx`
    select ${columns(tx)}
    from parts p ${joinValues(tx, organizationId, order, filter.host)} ${latestValues(tx)}
    where ${partCondition(tx, organizationId, filter)}
    order by ${orderBy(tx, order, false, { values: 's', parts: 'p' })}`;
  for await (const rows of readByCursor<ListedRow>(tx, statement)) yield rows.map(partAnswer);
}

function columns(sql: Queryable): Fragment {
  return sql`p.service_id, p.host, p.kind, p.name, p.labels, v.metrics, coalesce(v.at, p.created_at) as time`;
}

/** Joins the latest values of a part `p` as `v`. */
function latestValues(sql: Queryable): Fragment {
  return sql`
    cross join lateral (
      select coalesce(jsonb_object_agg(m.metric, m.value), '{}') as metrics, max(m.at) as at
      from part_latest l
      cross join lateral unnest(l.parts, l.metrics, l.vals, l.times) as m (part, metric, value, at)
      where l.organization_id = p.organization_id and l.service_id = p.service_id
        and p.id = any(l.parts) and m.part = p.id and m.value is not null
    ) v`;
}

export function partAnswer({ service_id, host, kind, name, labels, metrics, time }: ListedRow): HostPart {
  return { service_id, host, kind, name, labels, metrics, time: toIso(time) };
}
