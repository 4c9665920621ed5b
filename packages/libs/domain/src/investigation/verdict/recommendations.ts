import type { InconclusiveReason } from '@tidewatch/contracts/investigations/analysis';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { type Advice, READS_ONLY } from '../kinds/advice.ts';
import { isPast, KINDS_OF_FINDINGS } from '../kinds/finding-kinds.ts';
import { figure } from '../words/figures.ts';
import { quoted } from '../words/names.ts';
import type { Recommendation } from './verdict.ts';

const MAX_RECOMMENDATIONS = 6;

/**
 * Recommends actions against the root cause, or checks if no cause was found; the product never runs them itself.
 * @param reason why no cause is named; null if the first finding is the cause
 */
export function recommend(
  facts: Facts,
  findings: readonly FindingDraft[],
  reason: InconclusiveReason | null,
): Recommendation[] {
  const cause = reason === null ? findings[0] : undefined;
  if (cause === undefined) return withoutCause(facts, findings, reason);
  return adviceFor(cause, facts)
    .slice(0, MAX_RECOMMENDATIONS)
    .map((advice, nth) => ({
      ...advice,
      priority: nth === 0 ? 'high' : 'medium',
      evidenceRefs: refsOf(cause),
    }));
}

function withoutCause(
  facts: Facts,
  findings: readonly FindingDraft[],
  reason: InconclusiveReason | null,
): Recommendation[] {
  const best = findings.find((finding) => !isPast(finding));
  const looked = best === undefined ? [] : adviceFor(best, facts).filter(({ risk }) => risk === READS_ONLY);
  const threshold = facts.alert?.threshold ?? null;
  const advice: Advice[] = looked.slice(0, 2);
  if (
    facts.alert !== null &&
    threshold !== null &&
    facts.metric !== null &&
    reason !== 'too_little_history'
  ) {
    advice.push({
      title: `See whether ${figure(facts.metric, threshold)} is the right threshold`,
      description: `Nothing that is known explains this alert. Try rule ${quoted(facts.alert.ruleName)} on what is stored, with other thresholds and durations, and see how often it would have fired.`,
      command: null,
      risk: READS_ONLY,
    });
  }
  return advice.map((each) => ({
    ...each,
    priority: 'low',
    evidenceRefs: best === undefined ? [] : refsOf(best),
  }));
}

function refsOf(finding: FindingDraft): string[] {
  return finding.evidence.map(({ ref }) => ref);
}

function adviceFor(finding: FindingDraft, facts: Facts): readonly Advice[] {
  return KINDS_OF_FINDINGS[finding.kind].advice(finding, facts);
}
