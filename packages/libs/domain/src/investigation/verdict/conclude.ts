import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { isContext } from '../kinds/finding-kinds.ts';
import { reasonResourceOf } from '../metric-class.ts';
import { CALIBRATION } from '../rank/calibration.ts';
import { movementOf, rank } from '../rank/rank.ts';
import { tooLittleHistory } from '../symptom/too-little-history.ts';
import { causeInWords, detailsInWords, summaryInWords } from '../words/analysis.ts';
import { recommend } from './recommendations.ts';
import { timelineOf } from './timeline.ts';
import type { Confidence, Verdict } from './verdict.ts';

/** The probability above which a cause is named. */
const NAMED = 0.6;
/** A symptom with a smaller movement than this has no cause. */
const MOVED = 0.25;
const HIGH = 0.9;
const MEDIUM = 0.75;
const MAX_FINDINGS = 40;

/**
 * Ranks the findings and decides whether the first is the root cause: only if it is clearly more probable than all others
 * and "none of these", if the symptom moved (or data is missing), and if it is more than the symptom itself, a gap in the
 * data or an earlier alert.
 */
export function conclude(facts: Facts, drafts: readonly FindingDraft[]): Verdict {
  const movement = movementOf(drafts);
  const findings = rank(drafts, movement, CALIBRATION).slice(0, MAX_FINDINGS);
  const [first] = findings;
  const happened = movement >= MOVED || facts.alert?.noData === true;
  const named = first !== undefined && first.score >= NAMED && happened && explains(facts, first);
  const rootCause = named ? 0 : null;
  return {
    findings,
    conclusion: named ? 'root_cause_found' : 'inconclusive',
    confidence: named ? confidenceOf(first.score) : 'low',
    rootCause,
    summary: summaryInWords(facts, findings, rootCause),
    rootCauseText: named ? causeInWords(first) : null,
    detailsMarkdown: detailsInWords(facts, findings, rootCause),
    enoughAt: tooLittleHistory(facts)?.enoughAt ?? null,
    timeline: timelineOf(findings),
    recommendations: recommend(facts, findings, rootCause),
  };
}

/** Whether a finding says more than that the symptom or another effect of the trouble is there. */
function explains({ service, metric }: Facts, finding: FindingDraft): boolean {
  if (isContext(finding) || EFFECTS.includes(finding.detector)) return false;
  if (finding.detector !== 'own-metrics') return true;
  const isSymptom = finding.serviceId === service.serviceId && finding.metric === metric;
  return !isSymptom && finding.metric !== null && reasonResourceOf(finding.metric) !== null;
}

const EFFECTS = ['alerting-metric', 'own-effects'];

function confidenceOf(score: number): Confidence {
  if (score >= HIGH) return 'high';
  return score >= MEDIUM ? 'medium' : 'low';
}
