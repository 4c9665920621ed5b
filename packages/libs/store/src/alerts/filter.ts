import type { Queryable } from '../database/connection.ts';

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
  /** Alerts of rules that are only tried out are left out unless they are asked for. */
  shadow?: 'include' | 'only' | undefined;
}

/**
 * The condition on `alerts a`, to stand after `where`. `of` is the relation that says what changes while an alert lives:
 * its versions, where an earlier time is asked about.
 */
export function alertCondition(
  sql: Queryable,
  organizationId: string,
  filter: AlertFilter,
  of: 'a' | 'v' = 'a',
) {
  const { status, severity, acknowledged, serviceId, ruleId, host, from, to, shadow } = filter;
  return sql`a.org_id = ${organizationId} ${shadow === undefined ? sql`and not a.shadow` : shadow === 'only' ? sql`and a.shadow` : sql``}
    ${status === undefined ? sql`` : sql`and ${sql(`${of}.status`)} = ${status}`}
    ${severity === undefined ? sql`` : sql`and ${sql(`${of}.severity`)} = ${severity}`}
    ${acknowledged === undefined ? sql`` : sql`and (${sql(`${of}.acknowledged_at`)} is not null) = ${acknowledged}`}
    ${serviceId === undefined ? sql`` : sql`and a.service_id = ${serviceId}`}
    ${ruleId === undefined ? sql`` : sql`and a.rule_id = ${ruleId}`}
    ${host === undefined ? sql`` : sql`and a.host = ${host}`}
    ${from === undefined ? sql`` : sql`and a.fired_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and a.fired_at < ${to}`}`;
}
