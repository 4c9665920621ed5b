import type { NotifiedAlert } from '../notifications/facts.ts';
import { type AlertRow, subjectOf } from './write-row.ts';

/** The fields of an alert that decisions about its notifications need, from its row. */
export function notifiedAlertOf(row: AlertRow): NotifiedAlert {
  const { organization_id: organizationId, id, host, metric, severity, shadow } = row;
  return {
    organizationId,
    id,
    host,
    metric,
    severity,
    shadow,
    ruleId: row.rule_id,
    serviceId: row.service_id,
    subject: subjectOf(row),
    active: row.status === 'active',
    unconfirmed: row.backfilled && row.confirmed_at === null,
    silencedBy: row.silenced_by,
  };
}
