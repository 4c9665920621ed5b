import type { Severity } from '@tidewatch/contracts/values/severity';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { AlertEventKind, Changes } from './changes.ts';

/**
 * Stages an event of an alert. If the alert was stored by an earlier transaction, the event is made from its row after the
 * update.
 */
export function stageAlertEvent(
  changes: Changes,
  kind: AlertEventKind,
  instance: AlertInstance,
  alertId: string,
  flapping: Severity | null = null,
): void {
  if (instance.shadow) return;
  const { rule } = instance;
  const row = changes.newAlerts.get(alertId);
  changes.events.push(row ? { kind, rule, flapping, row: { ...row } } : { kind, rule, flapping, alertId });
}
