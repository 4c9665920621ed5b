import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { toIso } from '@tidewatch/contracts/time/time';
import { newId } from '@tidewatch/contracts/values/id';

export interface RuleUnderTest {
  id: string;
  name: string;
}

/** A resolved copy of the alert. */
export function resolved(alert: Alert, now: number): Alert {
  return {
    ...alert,
    status: 'resolved',
    state: 'resolved',
    resolved_at: toIso(now),
    resolution: 'recovered',
  };
}

/** A critical alert that fires now, with the given fields. */
export function alertOf(rule: RuleUnderTest, now: number, fields: Partial<Alert>): Alert {
  const host = fields.host ?? 'web-01';
  const time = toIso(now);
  return {
    id: newId('alr'),
    rule_id: rule.id,
    rule_name: rule.name,
    rule_version: 1,
    service_id: newId('svc'),
    host,
    subject: { kind: 'host', name: host },
    status: 'active',
    state: 'firing',
    severity: 'critical',
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    threshold_max: null,
    value: 95,
    value_at_fire: 95,
    peak_value: 95,
    summary: `${host}: cpu_percent is 95, above 90.`,
    pending_since: time,
    fired_at: time,
    resolved_at: null,
    resolution: null,
    acknowledged_at: null,
    acknowledged_by: null,
    silenced_by: null,
    flap_count: 0,
    backfilled: false,
    shadow: false,
    no_data: false,
    context: { processes: [], containers: [] },
    notifications: [],
    comments: [],
    investigation_id: null,
    created_at: time,
    updated_at: time,
    ...fields,
  };
}
