import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { type AlertRow, alertRecord } from '../alerts/write-row.ts';
import type { Queryable, Sql } from '../connection.ts';
import { alertNotifications } from '../notifications/of-alert.ts';
import { alertTotal, countAlerts } from './alert-count.ts';
import { type AlertFilter, alertCondition } from './alert-filter.ts';
import { alertPosition, hasPositions } from './alert-position.ts';
import { pageAndTotal } from './page-rows.ts';
import { type ListPart, NEAR_OFFSET, type PageWindow, readPart } from './page-window.ts';

/** Alerts by `fired_at`, newest first; the sort key is (fired_at in ms, id). */
export async function listAlerts(
  sql: Sql,
  organizationId: string,
  filter: AlertFilter,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Alert>> {
  const { after, offset } = window;
  const isFar = after === null && offset > NEAR_OFFSET && hasPositions(filter);
  const total = alertTotal(sql, organizationId, filter);
  // What follows a part of an id is a hexadecimal digit, or nothing.
  const rows = sql`
    select a.id, a.fired_at from alerts a where ${alertCondition(sql, organizationId, filter)}
      ${isFar ? sql`and (a.fired_at, a.id) < ((select bucket from position), (select part || 'g' from position))` : sql``}`;
  const follows = after === null ? null : sql`and (fired_at, id) < (${after[0]}::timestamptz, ${after[1]})`;
  const part = await readPart<AlertRow & { total: number }>(
    window,
    () => countAlerts(sql, organizationId, filter),
    ({ skip, take, backwards }, known) => {
      const order = backwards ? sql`fired_at, id` : sql`fired_at desc, id desc`;
      const list = { rows, order, total, after: follows };
      const slice = { skip: isFar ? sql`(select skip from position)` : skip, take };
      return sql`
        with ${isFar ? sql`${alertPosition(sql, organizationId, filter, offset)},` : sql``}
          ${pageAndTotal(sql, list, slice, known)}
        select (select total from counted) as total, a.*, ${alertNotifications(sql)}
        from page join alerts a on a.org_id = ${organizationId} and a.id = page.id
        order by page.fired_at desc, page.id desc`;
    },
    isFar,
  );
  return { total: part.total, rows: part.rows.map((row) => alertRecord(row) as Alert) };
}

/** One alert, or null. */
export async function readAlert(sql: Queryable, organizationId: string, id: string): Promise<Alert | null> {
  const [row] = await sql<AlertRow[]>`
    select a.*, ${alertNotifications(sql)} from alerts a where a.org_id = ${organizationId} and a.id = ${id}`;
  return row === undefined ? null : (alertRecord(row) as Alert);
}
