import type { HeldAlert, Pair } from '../memory/judged-service.ts';
import type { Judging } from './apply-verdict.ts';

/**
 * Notes which silence mutes what is about to be told of the alert: that it fires, or that it has become worse, which a
 * silence may match or not by its severity.
 */
export function mute(judging: Judging, { rule, service, stream }: Pair, alert: HeldAlert): void {
  const { severity } = alert.terms;
  const muting = judging.muting(service, { ruleId: rule.id, severity, subject: stream.identity.subject });
  const [by, until] = [muting?.id ?? null, muting?.until ?? null];
  if (alert.row) Object.assign(alert.row, { silenced_by: by, silenced_until: until });
  else if (alert.change) alert.change.mute = { by, until };
}
