import type { Queryable, Transaction } from '@tidewatch/database/connection';

/** An alert that a user resolved, with its service. */
export interface ResolvedByHand {
  org: string;
  alertId: string;
  /** The id of the service. */
  id: string;
  host: string;
}

/** The manually resolved alerts that the evaluator has not released yet. */
export async function readResolvedByHand(sql: Queryable): Promise<ResolvedByHand[]> {
  return sql<ResolvedByHand[]>`
    select organization_id as org, alert_id as "alertId", service_id as id, host from resolved_by_hand`;
}

/** Deletes the marks of manually resolved alerts that the evaluator releases when this transaction commits. */
export async function deleteResolvedByHand(
  tx: Transaction,
  alerts: readonly Pick<ResolvedByHand, 'org' | 'alertId'>[],
): Promise<void> {
  if (alerts.length === 0) return;
  const rows = alerts.map(({ org, alertId }) => ({ org, id: alertId }));
  await tx`
    delete from resolved_by_hand h
    using json_to_recordset(${JSON.stringify(rows)}::text::json) as r(org text, id text)
    where h.organization_id = r.org and h.alert_id = r.id`;
}
