import type { Queryable } from '@tidewatch/database/connection';

/** The filter of a list of alerts; undefined fields do not filter. Times are ms, `[from, to)` by `fired_at`. */
export interface AlertFilter {
  status?: 'active' | 'resolved' | undefined;
  severity?: string | undefined;
  acknowledged?: boolean | undefined;
  serviceId?: string | undefined;
  ruleId?: string | undefined;
  host?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Whether to include alerts of rules in shadow mode, or only these; by default they are left out. */
  shadow?: 'include' | 'only' | undefined;
}

/**
 * The condition on `alerts a`, for use after `where`. `of` is the relation with the columns that change while an alert exists:
 * `v` for versions as of a time.
 */
export function alertCondition(
  sql: Queryable,
  organizationId: string,
  filter: AlertFilter,
  of: 'a' | 'v' = 'a',
) {
  const { status, severity, acknowledged, serviceId, ruleId, host, from, to, shadow } = filter;
  return sql`a.organization_id = ${organizationId} ${shadow === undefined ? sql`and not a.shadow` : shadow === 'only' ? sql`and a.shadow` : sql``}
    ${status === undefined ? sql`` : sql`and ${sql(`${of}.status`)} = ${status}`}
    ${severity === undefined ? sql`` : sql`and ${sql(`${of}.severity`)} = ${severity}`}
    ${acknowledged === undefined ? sql`` : sql`and (${sql(`${of}.acknowledged_at`)} is not null) = ${acknowledged}`}
    ${serviceId === undefined ? sql`` : sql`and a.service_id = ${serviceId}`}
    ${ruleId === undefined ? sql`` : sql`and a.rule_id = ${ruleId}`}
    ${host === undefined ? sql`` : sql`and a.host = ${host}`}
    ${from === undefined ? sql`` : sql`and a.fired_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and a.fired_at < ${to}`}`;
}
