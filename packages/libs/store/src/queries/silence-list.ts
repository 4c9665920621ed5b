import type { Silence, SilenceStatus } from '@tidewatch/contracts/silences/silence';
import type { Sql } from '../connection.ts';
import { compileSilence, type SilenceRow, silenceAnswer, silenceColumns } from '../silences/row.ts';
import { pageAndTotal } from './page-rows.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';

/** Silences by creation, oldest first; the sort key is (created_at in ms, id). `status` is that at `now` (ms). */
export async function listSilences(
  sql: Sql,
  organizationId: string,
  status: SilenceStatus | undefined,
  now: number,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Silence>> {
  const { after } = window;
  const recurring = status === undefined ? [] : await readActiveRecurring(sql, organizationId, now);
  const ofStatus = status === undefined ? sql`` : sql`and ${hasStatus(sql, status, now, recurring)}`;
  const chosen = sql`s.org_id = ${organizationId} and s.deleted_at is null ${ofStatus}`;
  const total = sql`select count(*) from silences s where ${chosen}`;
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`select (${total})::int as total`;
    return row?.total ?? 0;
  };
  const part = await readPart<SilenceRow & { total: number }>(
    window,
    count,
    ({ skip, take, backwards }, known) => {
      const list = {
        rows: sql`select s.created_at, s.id from silences s where ${chosen}`,
        order: backwards ? sql`created_at desc, id desc` : sql`created_at, id`,
        total,
        after: after === null ? null : sql`and (created_at, id) > (${after[0]}::timestamptz, ${after[1]})`,
      };
      return sql`
        with ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, ${silenceColumns(sql)}
        from page join silences s on s.org_id = ${organizationId} and s.id = page.id
        order by page.created_at, page.id`;
    },
  );
  return { total: part.total, rows: part.rows.map((row) => silenceAnswer(row, now)) };
}

/** Which of those that recur lie within a window at `now`: only a reader of their rules can tell. */
async function readActiveRecurring(sql: Sql, organizationId: string, now: number): Promise<string[]> {
  const rows = await sql<SilenceRow[]>`
    select ${silenceColumns(sql)} from silences s
    where s.org_id = ${organizationId} and s.deleted_at is null and s.recurrence is not null and s.from_at <= ${now}
      and s.ends_at > ${now}`;
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
