import type { Marker } from '@tidewatch/contracts/markers/marker';
import type { Queryable, Sql } from '../connection.ts';
import { comesAfter, type ListOrder, orderBy } from '../queries/list-order.ts';
import { pageAndTotal } from '../queries/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../queries/page-window.ts';
import { type MarkerRow, markerAnswer, markerColumns } from './row.ts';

/** The orders of the list; the second reads all markers of the range. */
export const MARKER_ORDERS = {
  at: { column: 'at', type: 'timestamptz' },
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Markers in an order; the sort key is (column, id). The range `[from, to)` is of `at`, ms. */
export async function listMarkers(
  sql: Sql,
  organizationId: string,
  { from, to }: { from?: number | undefined; to?: number | undefined },
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Marker>> {
  const chosen = sql`m.org_id = ${organizationId}
    ${from === undefined ? sql`` : sql`and m.at >= ${from}`} ${to === undefined ? sql`` : sql`and m.at < ${to}`}`;
  const total = sql`select count(*) from markers m where ${chosen}`;
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`select (${total})::int as total`;
    return row?.total ?? 0;
  };
  const part = await readPart<MarkerRow & { total: number }>(
    window,
    count,
    ({ skip, take, backwards }, known) => {
      const list = {
        rows: sql`select m.at, m.created_at, m.id from markers m where ${chosen}`,
        order: orderBy(sql, order, backwards),
        total,
        after: comesAfter(sql, order, window.after),
      };
      return sql`
        with ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, ${markerColumns(sql)}
        from page join markers m on m.org_id = ${organizationId} and m.id = page.id
        order by ${orderBy(sql, order, false, 'page')}`;
    },
  );
  return { total: part.total, rows: part.rows.map(markerAnswer) };
}

/** One marker, or null. */
export async function readMarker(sql: Queryable, organizationId: string, id: string): Promise<Marker | null> {
  const [row] = await sql<MarkerRow[]>`
    select ${markerColumns(sql)} from markers m where m.org_id = ${organizationId} and m.id = ${id}`;
  return row === undefined ? null : markerAnswer(row);
}
