import type { Alert } from '@tidewatch/contracts/alert';
import { type AlertRow, alertRecord } from '../alerts/write-row.ts';
import type { Queryable, Sql } from '../connection.ts';
import { countAlerts } from './alert-count.ts';
import { type AlertFilter, alertCondition } from './alert-filter.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';

/** Alerts by `fired_at`, newest first; the sort key is (fired_at in ms, id). Shadow alerts are left out. */
export async function listAlerts(
  sql: Sql,
  organizationId: string,
  filter: AlertFilter,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Alert>> {
  const chosen = alertCondition(sql, organizationId, filter);
  const { after } = window;
  const part = await readPart(
    window,
    () => countAlerts(sql, organizationId, filter),
    ({ skip, take, backwards }) => sql<AlertRow[]>`
      with page as materialized (
        select a.id, a.fired_at from alerts a
        where ${chosen} ${after === null ? sql`` : sql`and (a.fired_at, a.id) < (${after[0]}::timestamptz, ${after[1]})`}
        order by ${backwards ? sql`a.fired_at, a.id` : sql`a.fired_at desc, a.id desc`}
        offset ${skip} limit ${take}
      )
      select a.* from page join alerts a on a.org_id = ${organizationId} and a.id = page.id
      order by page.fired_at desc, page.id desc`,
  );
  return { total: part.total, rows: part.rows.map((row) => alertRecord(row) as Alert) };
}

/** One alert, or null. */
export async function readAlert(sql: Queryable, organizationId: string, id: string): Promise<Alert | null> {
  const [row] = await sql<AlertRow[]>`select * from alerts where org_id = ${organizationId} and id = ${id}`;
  return row === undefined ? null : (alertRecord(row) as Alert);
}
