import type { Severity } from '@tidewatch/contracts/values/severity';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { Evaluation } from './evaluation.ts';

/** Stages which silence mutes the alert that fires or changes its severity: a silence may be limited to severities. */
export function mute(
  evaluation: Evaluation,
  instance: AlertInstance,
  alertId: string,
  severity: Severity,
): void {
  const { rule, service, stream } = instance;
  const muting = evaluation.muting(service, { ruleId: rule.id, severity, subject: stream.subject });
  const [by, until] = [muting?.id ?? null, muting?.until ?? null];
  const { newAlerts, changedAlerts } = evaluation.changes;
  const [row, change] = [newAlerts.get(alertId), changedAlerts.get(alertId)];
  if (row) Object.assign(row, { silenced_by: by, silenced_until: until });
  else if (change) change.mute = { by, until };
}
