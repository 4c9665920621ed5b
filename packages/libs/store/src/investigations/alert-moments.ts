import type { Sql } from '@tidewatch/database/connection';

/** The times at which an alert of an investigation changed its state, ms. */
export interface AlertMoments {
  id: string;
  ruleName: string;
  metric: string;
  /** Whether the alert fired because no data arrived. */
  noData: boolean;
  pendingSince: number | null;
  firedAt: number;
  resolvedAt: number | null;
  resolution: string | null;
}

export async function readAlertMoments(
  sql: Sql,
  organizationId: string,
  alertIds: readonly string[],
): Promise<AlertMoments[]> {
  return await sql<AlertMoments[]>`
    select id, rule_name as "ruleName", metric, no_data as "noData", pending_since as "pendingSince", fired_at as "firedAt",
      resolved_at as "resolvedAt", resolution
    from alerts where organization_id = ${organizationId} and id = any(${alertIds as string[]}::text[]) order by fired_at, id`;
}
