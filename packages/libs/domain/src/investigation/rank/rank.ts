import type { FindingDraft } from '../finding.ts';
import { isCandidate, KINDS_OF_FINDINGS } from '../kinds/finding-kinds.ts';
import type { Calibration, Weight } from './calibration.ts';

/** Scores stay this far from 0 and 1, where log odds are infinite. */
const EDGE = 0.01;
/** A finding that cannot be a cause is ranked by this share of its own score. */
const ASIDE = 0.1;
/** A finding that supports another one of the same cause is listed after it, with this share of its score. */
const SUPPORTING = 0.5;

/** A possible cause with all findings about it: a container, a process or a metric of a host. */
export interface Candidate {
  readonly findings: readonly FindingDraft[];
  readonly utility: number;
}

/**
 * How evident it is that anything happened, 0 to 1: by the finding about the symptom, or by a metric or host that left its
 * own history.
 */
export function movementOf(drafts: readonly FindingDraft[]): number {
  return drafts
    .filter(({ detector }) => EVIDENT.includes(detector))
    .reduce((most, { score }) => Math.max(most, score), 0);
}

/** The detectors whose findings show by themselves that something happened. */
const EVIDENT = ['alerting-metric', 'own-metrics', 'host-metrics', 'suspect-hosts'];

export interface Ranking {
  /** The drafts with new scores, best first. */
  readonly findings: FindingDraft[];
  /** The probability that none of the candidates is the cause, 0 to 1. */
  readonly none: number;
}

/**
 * Ranks the findings of all detectors by the probability of being the cause: a conditional logit (McFadden 1974) over the
 * candidates and "none of these". The utility of a candidate is a linear function of the log odds of its best finding, with
 * weights for each detector, plus a bonus for each further detector.
 */
export function rank(drafts: readonly FindingDraft[], movement: number, calibration: Calibration): Ranking {
  const candidates = candidatesOf(drafts.filter(isCandidate), calibration);
  const none = noneUtility(movement, calibration);
  const most = Math.max(none, ...candidates.map(({ utility }) => utility));
  const total = candidates.reduce(
    (sum, { utility }) => sum + Math.exp(utility - most),
    Math.exp(none - most),
  );
  const asides = drafts
    .filter((draft) => !isCandidate(draft))
    .map((draft) => ({ ...draft, score: ASIDE * draft.score }));
  const findings = candidates
    .flatMap(({ findings, utility }) => {
      const probability = Math.exp(utility - most) / total;
      return findings.map((finding, nth) => ({
        ...finding,
        score: nth === 0 ? probability : probability * SUPPORTING * finding.score,
      }));
    })
    .concat(asides)
    .sort((a, b) => b.score - a.score || compareText(a.title, b.title))
    .map((finding) => ({ ...finding, score: rounded(finding.score) }));
  return { findings, none: Math.exp(none - most) / total };
}

export function noneUtility(movement: number, { none }: Calibration): number {
  return none.base + none.unmoved * (1 - movement);
}

/** Groups findings by candidate cause, the strongest finding of each first. */
export function candidatesOf(drafts: readonly FindingDraft[], calibration: Calibration): Candidate[] {
  const groups = new Map<string, FindingDraft[]>();
  for (const draft of drafts) {
    const key = candidateKey(draft);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [draft]);
    else group.push(draft);
  }
  return [...groups.values()].map((group) => {
    const findings = group.toSorted(
      (a, b) => utilityOf(b, calibration) - utilityOf(a, calibration) || b.score - a.score,
    );
    const best = Math.max(...findings.map((finding) => utilityOf(finding, calibration)));
    const agreeing = new Set(findings.map(({ detector }) => detector)).size - 1;
    return { findings, utility: best + calibration.support * agreeing };
  });
}

/**
 * A key that is equal for findings about the same candidate cause. A tag has one key for all hosts, and all metrics of a
 * host that left their history are one candidate.
 */
export function candidateKey({ serviceId, subject, metric, kind, detector }: FindingDraft): string {
  if (subject.kind === 'tag') return JSON.stringify([subject.name]);
  if (OF_THE_HOST.includes(detector)) return JSON.stringify([serviceId, detector]);
  const whole =
    subject.kind === 'host' ? [metric, KINDS_OF_FINDINGS[kind].rankedApart ? kind : null] : [subject.name];
  return JSON.stringify([serviceId, subject.kind, ...whole]);
}

const OF_THE_HOST = ['own-metrics', 'host-metrics'];

function utilityOf(finding: FindingDraft, calibration: Calibration): number {
  const { offset, slope } = weightOf(finding.detector, calibration);
  return offset + slope * logOdds(finding.score);
}

function weightOf(detector: string, { detectors, others }: Calibration): Weight {
  return detectors[detector] ?? others;
}

export function logOdds(score: number): number {
  const held = Math.min(1 - EDGE, Math.max(EDGE, score));
  return Math.log(held / (1 - held));
}

function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
