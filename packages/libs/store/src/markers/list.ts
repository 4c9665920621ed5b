import type { Marker } from '@tidewatch/contracts/markers/marker';
import type { Queryable, Sql } from '@tidewatch/database/connection';
import type { ListOrder } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { type MarkerRow, markerAnswer, markerColumns } from './row.ts';

/** The orders of the list of markers; `created_at` has no index, so all markers of the range are read. */
export const MARKER_ORDERS = {
  at: { column: 'at', type: 'timestamptz' },
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Markers in an order; the sort key is (column, id). The range `[from, to)` is of `at`, ms. */
export function listMarkers(
  sql: Sql,
  organizationId: string,
  { from, to }: { from?: number | undefined; to?: number | undefined },
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Marker>> {
  const chosen = sql`m.organization_id = ${organizationId}
    ${from === undefined ? sql`` : sql`and m.at >= ${from}`} ${to === undefined ? sql`` : sql`and m.at < ${to}`}`;
  const list = {
    rows: sql`select m.at, m.created_at, m.id from markers m where ${chosen}`,
    total: sql`select count(*) from markers m where ${chosen}`,
    columns: markerColumns(sql),
    joins: sql`join markers m on m.organization_id = ${organizationId} and m.id = page.id`,
  };
  return readList(sql, list, order, window, markerAnswer);
}

/** Reads one marker; null if it does not exist. */
export async function readMarker(sql: Queryable, organizationId: string, id: string): Promise<Marker | null> {
  const [row] = await sql<MarkerRow[]>`
    select ${markerColumns(sql)} from markers m where m.organization_id = ${organizationId} and m.id = ${id}`;
  return row === undefined ? null : markerAnswer(row);
}
