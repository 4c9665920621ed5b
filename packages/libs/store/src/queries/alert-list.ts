import type { Alert } from '@tidewatch/contracts/alert';
import { type AlertRow, alertRecord } from '../alerts/write-row.ts';
import type { Queryable, Sql } from '../connection.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';

/** What the list of alerts may be narrowed by; undefined leaves open. Times are ms, `[from, to)` by `fired_at`. */
export interface AlertFilter {
  status?: 'active' | 'resolved' | undefined;
  severity?: string | undefined;
  acknowledged?: boolean | undefined;
  serviceId?: string | undefined;
  ruleId?: string | undefined;
  host?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

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

/** Counted by the database as alerts change where status, severity and acknowledgement alone narrow the list. */
async function countAlerts(sql: Sql, organizationId: string, filter: AlertFilter): Promise<number> {
  const { serviceId, ruleId, host, from, to, ...counted } = filter;
  const kept = sql`select coalesce(sum(count), 0)::int from alert_counts
    where org_id = ${organizationId} and not shadow
      ${counted.status === undefined ? sql`` : sql`and status = ${counted.status}`}
      ${counted.severity === undefined ? sql`` : sql`and severity = ${counted.severity}`}
      ${counted.acknowledged === undefined ? sql`` : sql`and acknowledged = ${counted.acknowledged}`}`;
  const now = (narrowed: AlertFilter) =>
    sql`select count(*)::int from alerts a where ${alertCondition(sql, organizationId, narrowed)}`;
  const isWindow = (from ?? to) !== undefined;
  let total = now(filter);
  if ((serviceId ?? ruleId ?? host) === undefined) {
    if (!isWindow) total = kept;
    else if (await isMostly(sql, organizationId, from, to)) {
      // What lies outside the window is less to count.
      const before = from === undefined ? sql`` : sql`- (${now({ ...counted, to: from })})`;
      const after = to === undefined ? sql`` : sql`- (${now({ ...counted, from: to })})`;
      total = sql`select ((${kept}) ${before} ${after})::int`;
    }
  }
  const [row] = await sql<{ total: number }[]>`select (${total}) as total`;
  return row?.total ?? 0;
}

/** Whether the window spans more than half of the time over which alerts fired. */
async function isMostly(
  sql: Sql,
  organizationId: string,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
) {
  const [bounds] = await sql<{ first: number | null; last: number | null }[]>`
    select min(fired_at) as first, max(fired_at) as last from alerts where org_id = ${organizationId}`;
  if (bounds?.first == null || bounds.last === null) return false;
  const inside = Math.min(to, bounds.last) - Math.max(from, bounds.first);
  return inside > (bounds.last - bounds.first) / 2;
}

function alertCondition(sql: Queryable, organizationId: string, filter: AlertFilter) {
  const { status, severity, acknowledged, serviceId, ruleId, host, from, to } = filter;
  return sql`a.org_id = ${organizationId} and not a.shadow
    ${status === undefined ? sql`` : sql`and a.status = ${status}`}
    ${severity === undefined ? sql`` : sql`and a.severity = ${severity}`}
    ${acknowledged === undefined ? sql`` : acknowledged ? sql`and a.acknowledged_at is not null` : sql`and a.acknowledged_at is null`}
    ${serviceId === undefined ? sql`` : sql`and a.service_id = ${serviceId}`}
    ${ruleId === undefined ? sql`` : sql`and a.rule_id = ${ruleId}`}
    ${host === undefined ? sql`` : sql`and a.host = ${host}`}
    ${from === undefined ? sql`` : sql`and a.fired_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and a.fired_at < ${to}`}`;
}
