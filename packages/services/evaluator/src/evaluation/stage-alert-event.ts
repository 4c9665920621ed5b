import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Pair } from '../memory/pair.ts';
import type { AlertHappening, Changes } from './changes.ts';

/** An alert that was stored before is told from its row as it is once it is written. */
export function tell(
  changes: Changes,
  kind: AlertHappening,
  pair: Pair,
  alertId: string,
  flapping: Severity | null = null,
): void {
  if (pair.shadow) return;
  const { rule } = pair;
  const row = changes.newAlerts.get(alertId);
  changes.happenings.push(
    row ? { kind, rule, flapping, row: { ...row } } : { kind, rule, flapping, alertId },
  );
}
