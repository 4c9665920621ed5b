import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import type { Queryable } from '@tidewatch/database/connection';
import type { ListOrder } from '../lists/order.ts';

/** The place of a severity in the order by severity: the worst is the greatest. */
export function rankOfSeverity(severity: Severity): number {
  return SEVERITIES.length - SEVERITIES.indexOf(severity);
}

/** Whether a list is ordered by the column `severity_rank`. */
export function isBySeverity({ column }: ListOrder): boolean {
  return column === 'severity_rank';
}

/** The column `severity_rank` of alerts; `of` is the relation with their severity. */
export function severityRank(sql: Queryable, of: 'a' | 'v') {
  const column = sql(`${of}.severity`);
  const [critical, warning, info] = SEVERITIES.map(rankOfSeverity) as [number, number, number];
  return sql`(case ${column} when 'critical' then ${critical}::int8 when 'warning' then ${warning}::int8
    else ${info}::int8 end) as severity_rank`;
}
