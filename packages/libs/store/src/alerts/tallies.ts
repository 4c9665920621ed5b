import type { Queryable } from '@tidewatch/database/connection';
import type { AlertFilter } from './filter.ts';

/** SQL `from alert_tallies where …` of one tier, with several rows for one key; further `and` conditions may follow. */
export function tallies(sql: Queryable, organizationId: string, filter: AlertFilter, tier: string) {
  return sql`from alert_tallies where ${filterTallies(sql, organizationId, filter, tier)}`;
}

/** The condition on the counters of one tier. */
export function filterTallies(sql: Queryable, organizationId: string, filter: AlertFilter, tier: string) {
  const { status, severity, acknowledged } = filter;
  return sql`organization_id = ${organizationId} and tier = ${tier}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${severity === undefined ? sql`` : sql`and severity = ${severity}`}
      ${acknowledged === undefined ? sql`` : sql`and acknowledged = ${acknowledged}`}`;
}
