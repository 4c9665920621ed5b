import { ownDeparture } from '../departure/departed-metrics.ts';
import { isUsual } from '../departure/departure.ts';
import { isUnequalled } from '../departure/unequalled.ts';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { CALIBRATION } from '../rank/calibration.ts';
import { improbableByDistance } from '../rank/improbable.ts';
import { movementOf, rank } from '../rank/rank.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { isLittleKnown, tooLittleHistory } from '../symptom/too-little-history.ts';
import { causeInWords, detailsInWords, summaryInWords } from '../words/analysis.ts';
import { inconclusiveReason } from './inconclusive.ts';
import { isPossibleCause } from './possible-cause.ts';
import { recommend } from './recommendations.ts';
import { timelineOf } from './timeline.ts';
import type { Confidence, RankedFinding, Verdict } from './verdict.ts';

/** The probability above which a cause is named. */
const NAMED = 0.6;
/** Where nothing moved more than this, there is no cause. */
const MOVED = 0.25;
/** The min probability that the symptom changed from which a cause is named after little history. */
const CHANGED = 0.5;
const HIGH = 0.9;
const MEDIUM = 0.75;
const MAX_FINDINGS = 40;

/**
 * Ranks the findings and decides whether the first is the root cause: only if it is clearly more probable than all others
 * and "none of these", if something moved and the symptom left its usual range (or data is missing), if it is more than
 * the symptom itself, a gap in the data or an earlier alert, and if enough is known from before the trouble.
 */
export function conclude(facts: Facts, drafts: readonly FindingDraft[]): Verdict {
  const movement = movementOf(drafts);
  const ranking = rank(drafts, movement, CALIBRATION);
  const findings = improbableByDistance(ranking.findings, facts)
    .slice(0, MAX_FINDINGS)
    .map((finding) => ({ ...finding, possibleCause: isPossibleCause(facts, finding) }));
  const [first] = findings;
  const isCalmed = isCalm(facts, drafts) && !isEvident(facts, first);
  const happened = (movement >= MOVED && !isCalmed) || facts.alert?.noData === true;
  // Without history nobody knows when the trouble began, so that whatever moved may have nothing to do with it.
  const unknown = tooLittleHistory(facts);
  const named =
    first !== undefined && first.score >= NAMED && happened && first.possibleCause && unknown === null;
  const rootCause = named ? 0 : null;
  const reason = named ? null : inconclusiveReason(facts, findings, ranking.none, happened);
  return {
    findings,
    conclusion: named ? 'root_cause_found' : 'inconclusive',
    confidence: named ? confidenceOf(first.score) : 'low',
    inconclusiveReason: reason,
    rootCause,
    summary: summaryInWords(facts, findings, reason),
    rootCauseText: named ? causeInWords(first) : null,
    detailsMarkdown: detailsInWords(facts, findings, reason),
    enoughAt: unknown?.enoughAt ?? null,
    timeline: timelineOf(findings),
    recommendations: recommend(facts, findings, reason),
  };
}

/**
 * Whether the investigated metric stayed in its usual range: what other hosts and metrics did then is not the cause of its
 * alert, whose threshold is too low. After little history also where it probably did not change: so short a range is soon left.
 */
function isCalm(facts: Facts, drafts: readonly FindingDraft[]): boolean {
  const { metric, shift } = symptomOf(facts);
  if (metric !== null && isLittleKnown(facts) && (shift?.score ?? 0) < CHANGED) return true;
  const departure = metric === null ? null : ownDeparture(metric, facts);
  if (departure === null || !isUsual(departure.ranges)) return false;
  return drafts.every(({ detector, score }) => detector !== 'alerting-metric' || score < MOVED);
}

/** Whether the first finding shows by itself, after little history, that something happened: it left its usual range as nothing did before. */
function isEvident(facts: Facts, first: RankedFinding | undefined): boolean {
  return first?.possibleCause === true && isLittleKnown(facts) && isUnequalled(facts, first);
}

function confidenceOf(score: number): Confidence {
  if (score >= HIGH) return 'high';
  return score >= MEDIUM ? 'medium' : 'low';
}
