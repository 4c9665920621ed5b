import type { Queryable } from '../connection.ts';

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

/** The condition on `alerts a`, to stand after `where`. Shadow alerts are left out. */
export function alertCondition(sql: Queryable, organizationId: string, filter: AlertFilter) {
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
