import { SILENT_MINUTES } from '@tidewatch/contracts/rules/rule-metric';
import { evaluate } from '@tidewatch/domain/alerting/evaluate';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import { applyVerdict } from '../evaluation/apply-verdict.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { streamOf } from '../memory/compile-streams.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import type { Silence } from './silence-watch.ts';

/** Whether a host's minutes of silence could begin or end something; `service` is undefined where it is not in memory. */
export function mayChangeBySilence(
  rules: RuleIndex,
  organizationId: string,
  service: EvaluatedService | undefined,
  minutes: number,
): boolean {
  const { samples } = rules.forMetric(organizationId, SILENT_MINUTES);
  if (samples.rules.length === 0) return false;
  if (minutes <= samples.quietAbove || minutes >= samples.quietBelow) return true;
  const stream = service?.streams.get(SILENT_MINUTES);
  return stream !== undefined && !stream.isQuiet;
}

/**
 * Evaluates how long a host has been silent, as of `at` (ms). Of one that was not heard since the start less is known
 * than when its alert fired: then nothing is clear.
 *
 * A rule about silence waits until the silence is unexpected, so that a host that sent once, or that sends every hour, is
 * no outage. A rule that names the host expects it from its first payload on.
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

/** A rule that holds of a host that has just sent is not about silence. */
function waitsForRhythm(rule: CompiledRule, host: string): boolean {
  return !rule.breaches(0) && !rule.names(host);
}
