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

/** Counted by the database as alerts change where only these fields narrow the list, else counted now. */
async function countAlerts(sql: Sql, organizationId: string, filter: AlertFilter): Promise<number> {
  const { status, severity, acknowledged, serviceId, ruleId, host, from, to } = filter;
  if ((serviceId ?? ruleId ?? host ?? from ?? to) !== undefined) {
    const [row] = await sql<{ total: number }[]>`
      select count(*)::int as total from alerts a where ${alertCondition(sql, organizationId, filter)}`;
    return row?.total ?? 0;
  }
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(count), 0)::int as total from alert_counts
    where org_id = ${organizationId} and not shadow
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${severity === undefined ? sql`` : sql`and severity = ${severity}`}
      ${acknowledged === undefined ? sql`` : sql`and acknowledged = ${acknowledged}`}`;
  return row?.total ?? 0;
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
