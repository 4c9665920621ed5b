import type { Severity } from '@tidewatch/contracts/values/severity';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { Evaluation } from './evaluation.ts';

/**
 * Notes which silence mutes what is about to be told of the alert: that it fires, or that it has become worse, which a
 * silence may match or not by its severity.
 */
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
