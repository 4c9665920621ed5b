import { SILENT_MINUTES } from '@tidewatch/contracts/rules/rule-metric';
import { evaluate } from '@tidewatch/domain/alerting/evaluate';
import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import { applyVerdict } from '../evaluation/apply-verdict.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { streamOf } from '../memory/compile-streams.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import type { Silence } from './silence-watch.ts';

/** Whether an organization has rules on how long a host has been silent. */
export function hasSilenceRules(rules: RuleIndex, organizationId: string): boolean {
  return rules.forMetric(organizationId, SILENT_MINUTES).samples.rules.length > 0;
}

/** Whether the silence of a host may change an alert instance; `service` is undefined if it is not in memory. */
export function mayChangeBySilence(
  rules: RuleIndex,
  organizationId: string,
  service: EvaluatedService | undefined,
  minutes: number,
): boolean {
  const { samples } = rules.forMetric(organizationId, SILENT_MINUTES);
  if (minutes <= samples.quietAbove || minutes >= samples.quietBelow) return true;
  const stream = service?.streams.get(SILENT_MINUTES);
  return stream !== undefined && !stream.isQuiet;
}

/**
 * Evaluates rules on how long a host has been silent, as of `at` (ms). No alert recovers before the first request of the
 * host after a start. A rule that does not name the host applies only once the silence is unexpected.
 */
export function evaluateSilence(
  evaluation: Evaluation & { rules: RuleIndex },
  service: EvaluatedService,
  { minutes, wasSeen, isUnexpected }: Silence,
  at: number,
): void {
  const stream = streamOf(service, evaluation.rules, service.subject, SILENT_MINUTES);
  if (stream === null) return;
  for (const instance of stream.wake()) {
    const breaches = instance.rule.breaches(minutes);
    if (!wasSeen && !breaches) continue;
    if (breaches && !isUnexpected && waitsForRhythm(instance.rule, service.host)) continue;
    const last = instance.evaluatedAt === Number.NEGATIVE_INFINITY ? null : instance.evaluatedAt;
    if (last !== null && at < last) continue;
    const previous = instance.state;
    instance.evaluatedAt = at;
    const verdict = evaluate(instance.rule, previous, last, at, minutes, stream.usualIntervalMs());
    if (verdict)
      applyVerdict(evaluation, instance, verdict, {
        at,
        value: minutes,
        payload: null,
        origin: null,
        backfilled: () => false,
      });
  }
  stream.settle();
  stream.observe(at);
}

/**
 * Whether a rule waits until the silence is unexpected: it does not name the host, and the host would not breach it while
 * it sends samples.
 */
function waitsForRhythm(rule: CompiledRule, host: string): boolean {
  return !rule.breaches(0) && !rule.names(host);
}
