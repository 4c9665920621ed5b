import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Pair } from '../memory/pair.ts';
import type { Judging } from './apply-verdict.ts';

/**
 * Notes which silence mutes what is about to be told of the alert: that it fires, or that it has become worse, which a
 * silence may match or not by its severity.
 */
export function mute(judging: Judging, pair: Pair, alertId: string, severity: Severity): void {
  const { rule, service, stream } = pair;
  const muting = judging.muting(service, { ruleId: rule.id, severity, subject: stream.subject });
  const [by, until] = [muting?.id ?? null, muting?.until ?? null];
  const { newAlerts, changedAlerts } = judging.changes;
  const [row, change] = [newAlerts.get(alertId), changedAlerts.get(alertId)];
  if (row) Object.assign(row, { silenced_by: by, silenced_until: until });
  else if (change) change.mute = { by, until };
}
