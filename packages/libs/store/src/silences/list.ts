import type { Silence, SilenceStatus } from '@tidewatch/contracts/silences/silence';
import type { Sql } from '@tidewatch/database/connection';
import type { ListOrder } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { compileSilence, prepareSilences, type SilenceRow, silenceAnswer, silenceColumns } from './row.ts';

/** The orders of the list of silences, which are sorted for each request, since all of them are counted anyway. */
export const SILENCE_ORDERS = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  from: { column: 'from_at', type: 'timestamptz' },
  until: { column: 'until_at', type: 'timestamptz' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Silences in an order; the sort key is (column, id). `status` is their status at `now` (ms). */
export async function listSilences(
  sql: Sql,
  organizationId: string,
  status: SilenceStatus | undefined,
  now: number,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Silence>> {
  const recurring = status === undefined ? [] : await readActiveRecurring(sql, organizationId, now);
  const ofStatus = status === undefined ? sql`` : sql`and ${hasStatus(sql, status, now, recurring)}`;
  const chosen = sql`s.organization_id = ${organizationId} and s.deleted_at is null ${ofStatus}`;
  const total = sql`select count(*) from silences s where ${chosen}`;
  const list = {
    rows: sql`select s.created_at, s.from_at, s.until_at, s.id from silences s where ${chosen}`,
    total,
    columns: silenceColumns(sql),
    joins: sql`join silences s on s.organization_id = ${organizationId} and s.id = page.id`,
  };
  const part = await readList(sql, list, order, window, (row: SilenceRow) => row);
  await prepareSilences(part.rows.map(compileSilence), now);
  return { total: part.total, rows: part.rows.map((row) => silenceAnswer(row, now)) };
}

/** The ids of recurring silences that are active at `now`, computed here because SQL cannot evaluate recurrence rules. */
async function readActiveRecurring(sql: Sql, organizationId: string, now: number): Promise<string[]> {
  const rows = await sql<SilenceRow[]>`
    select ${silenceColumns(sql)} from silences s
    where s.organization_id = ${organizationId} and s.deleted_at is null and s.recurrence is not null and s.from_at <= ${now}
      and s.ends_at > ${now}`;
  await prepareSilences(rows.map(compileSilence), now);
  const active = rows.filter((row) => compileSilence(row).stateAt(now).status === 'active');
  return active.map(({ id }) => id);
}

function hasStatus(sql: Sql, status: SilenceStatus, now: number, recurring: readonly string[]) {
  const ids = JSON.stringify(recurring);
  const isOver = sql`s.ends_at <= ${now}`;
  const isActive = sql`(s.from_at <= ${now} and (s.recurrence is null
    or s.id in (select json_array_elements_text(${ids}::text::json))))`;
  if (status === 'expired') return isOver;
  return status === 'active' ? sql`not ${isOver} and ${isActive}` : sql`not ${isOver} and not ${isActive}`;
}
