import type { Severity } from '@tidewatch/contracts/values/severity';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { AlertEventKind, Changes } from './changes.ts';

/** An alert that was stored before is told from its row as it is once it is written. */
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
