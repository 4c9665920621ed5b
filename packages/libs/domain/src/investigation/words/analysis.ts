import type { InconclusiveReason } from '@tidewatch/contracts/investigations/analysis';
import { SILENT_MINUTES } from '@tidewatch/contracts/rules/rule-metric';
import { isUsual } from '../departure/departure.ts';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { isPast } from '../kinds/finding-kinds.ts';
import { classOf } from '../metric-class.ts';
import { MIN_PAST_VALUES } from '../symptom/past.ts';
import { symptomOf as metricInQuestion } from '../symptom/symptom.ts';
import { historyBefore, isUsualKnown, tooLittleHistory } from '../symptom/too-little-history.ts';
import { aboutAsProbable } from '../verdict/inconclusive.ts';
import type { RankedFinding } from '../verdict/verdict.ts';
import { clock, figure, span, valuesInWords } from './figures.ts';
import { escaped, plain, subjectInWords } from './names.ts';

const MAX_NAMES = 6;
const MAX_OTHERS = 8;
/** A finding with a lower probability is not mentioned in the analysis. */
const WORTH_REPORTING = 0.02;
/** Where no cause is named, a finding with a lower probability is not mentioned in the summary. */
const MENTIONED = 0.1;

/**
 * The summary of an analysis: what moved, the most probable cause, and what was not affected.
 * @param reason why no cause is named; null if the first finding is the cause
 */
export function summaryInWords(
  facts: Facts,
  findings: readonly RankedFinding[],
  reason: InconclusiveReason | null,
): string {
  const cause = reason === null ? findings[0] : undefined;
  const explanation = cause === undefined ? unexplained(facts, findings, reason) : causeSentence(cause);
  return [symptomSentence(facts, findings), explanation, calmHosts(findings), calmMetrics(facts, findings)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The cause in one sentence. */
export function causeInWords(cause: FindingDraft): string {
  return `${cause.title}.`;
}

/** The whole analysis in Markdown; names that agents report are escaped. */
export function detailsInWords(
  facts: Facts,
  findings: readonly RankedFinding[],
  reason: InconclusiveReason | null,
): string {
  const cause = reason === null ? findings[0] : undefined;
  const others = findings
    .filter((each) => each !== cause && each.score >= WORTH_REPORTING)
    .slice(0, MAX_OTHERS);
  const asides = findings.filter((each) => isPast(each) && !others.includes(each));
  const parts = [`### What happened\n${escaped(symptomSentence(facts, findings))}`];
  parts.push(
    cause === undefined
      ? `### No cause found\n${escaped(unexplained(facts, findings, reason))}`
      : `### Most probable cause\n${item(cause)}`,
  );
  const items = (each: readonly RankedFinding[]) => each.map(item).join('\n');
  if (others.length > 0) parts.push(`### What else was found\n${items(others)}`);
  if (asides.length > 0) parts.push(`### Before\n${items(asides)}`);
  const calm = [calmHosts(findings), calmMetrics(facts, findings)].filter((sentence) => sentence !== '');
  if (calm.length > 0) parts.push(`### Not affected\n${escaped(calm.join(' '))}`);
  return parts.join('\n\n');
}

/** A finding in a list. An effect of the trouble has a place in the order, but no probability of being its cause. */
function item({ title, description, score, possibleCause }: RankedFinding): string {
  const likely = possibleCause ? ` (probability ${probability(score)})` : '';
  return `- **${escaped(title)}**${likely}. ${escaped(description)}`;
}

/** Formats a probability as a percentage that is never rounded to 0 % or 100 %. */
function probability(score: number): string {
  return score > 0.99 ? 'above 0.99' : score.toFixed(2);
}

function symptomOf(findings: readonly FindingDraft[]): FindingDraft | undefined {
  return findings.find(({ detector }) => detector === 'alerting-metric');
}

function symptomSentence(facts: Facts, findings: readonly FindingDraft[]): string {
  const symptom = symptomOf(findings);
  if (symptom !== undefined) return `${symptom.title}.`;
  const host = plain(facts.service.host);
  if (facts.metric === null) return `${host} was asked about.`;
  if (facts.alert?.noData === true) return `${plain(facts.metric)} of ${host} has not been reported.`;
  if (facts.metric === SILENT_MINUTES) return `${host} stopped sending.`;
  if (!isSymptomKnown(facts))
    return `No values of ${plain(facts.metric)} of ${host} are stored in this window.`;
  return (
    historySentence(facts) ?? `${plain(facts.metric)} of ${host} did not move away from its usual values.`
  );
}

/** Whether any values of the investigated metric are stored. */
function isSymptomKnown(facts: Facts): boolean {
  return metricInQuestion(facts).metric !== null;
}

/** Says that the history is too short for a baseline, how long it is and how long it must be; null where it is long enough. */
function historySentence(facts: Facts): string | null {
  const little = tooLittleHistory(facts);
  if (little === null || facts.metric === null) return null;
  const { count, spanMs, before, seen, enoughAt } = little;
  const subject = `${plain(facts.metric)} of ${subjectInWords(facts.subject, facts.service.host)}`;
  const range = seen === null ? '' : ` ${rangeSentence(facts.metric, seen)}`;
  const known =
    count === 0
      ? 'no value is known'
      : `${valuesInWords(count)} over ${span(spanMs)} ${count === 1 ? 'is' : 'are'} known`;
  const again =
    enoughAt === null ? '' : ` Enough will be known at ${clock(enoughAt, facts.to)} if values keep coming.`;
  return `There is too little history to say what is usual of ${subject}: ${known} from before ${clock(before, facts.to)}, and ${MIN_PAST_VALUES} values a minute apart are needed.${range}${again}`;
}

function rangeSentence(metric: string, seen: { min: number; max: number; last: number }): string {
  const [min, max, last] = [seen.min, seen.max, seen.last].map((value) => figure(metric, value));
  if (min === max) return `It was ${max} in all that is known.`;
  return `It went from ${min} to ${max} in what is known; its last value is ${last}.`;
}

function causeSentence(cause: FindingDraft): string {
  const how = cause.score >= 0.9 ? 'Very probably' : 'Probably';
  return `${how} the cause: ${inSentence(cause.title)}.`;
}

/** Why no cause is named, in words. */
function unexplained(
  facts: Facts,
  findings: readonly RankedFinding[],
  reason: InconclusiveReason | null,
): string {
  switch (reason) {
    case 'too_little_history': {
      if (tooLittleHistory(facts) !== null) return 'So no cause can be named yet.';
      const known = span(historyBefore(facts) ?? 0);
      return `Only ${known} of history are known from before: too little to say whether that is usual, so no cause can be named.`;
    }
    case 'nothing_unusual': {
      const threshold = facts.alert?.threshold ?? null;
      if (threshold === null || facts.metric === null || !isSymptomKnown(facts))
        return 'Nothing unusual was found.';
      return `Nothing unusual was found: the threshold of ${figure(facts.metric, threshold)} lies within what this metric usually does.`;
    }
    case 'several_alike':
      return `Nothing explains it well enough to be named; about as probable: ${listed(aboutAsProbable(findings).map(inPassing))}.`;
    default: {
      return `The cause is not in what Tidewatch sees: ${lookedAt(facts)} explains it well enough to be named.${nearest(findings)}`;
    }
  }
}

/** What comes next to a cause that is not named: the most probable one, or else what went with the trouble; empty if nothing did. */
function nearest(findings: readonly RankedFinding[]): string {
  const seen = findings.filter(
    (finding) => finding.detector !== 'alerting-metric' && !isPast(finding) && finding.score >= MENTIONED,
  );
  const cause = seen.find(({ possibleCause }) => possibleCause);
  if (cause !== undefined) return ` Most probable: ${inPassing(cause)}.`;
  return seen[0] === undefined ? '' : ` With it went: ${inSentence(seen[0].title)}.`;
}

/** A finding in the midst of a sentence, with its probability. */
function inPassing({ title, score }: FindingDraft): string {
  return `${inSentence(title)} (${probability(score)})`;
}

/** A title in the midst of a sentence. */
function inSentence(title: string): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

/** What was searched for a cause: "no metric, process or container of web-01, and none of 12 other hosts". */
function lookedAt({ service, snapshots, peers }: Facts): string {
  const own = snapshots.length === 0 ? 'no metric' : 'no metric, process or container';
  const others = peers.length === 1 ? ', nor the other host,' : `, and none of ${peers.length} other hosts,`;
  return `${own} of ${plain(service.host)}${peers.length === 0 ? '' : others}`;
}

/** Sentence about the hosts that could have been affected and were not. */
function calmHosts(findings: readonly FindingDraft[]): string {
  const peers = findings.find(({ unaffectedHosts }) => unaffectedHosts.length > 0);
  if (peers === undefined) return '';
  return `Not affected: ${listed(peers.unaffectedHosts.map(({ host }) => plain(host)))}.`;
}

/** Sentence about metrics of the host that stayed at their usual level; resources come first. */
function calmMetrics(facts: Facts, findings: readonly FindingDraft[]): string {
  const moved = new Set(
    findings
      .filter((finding) => finding.serviceId === facts.service.serviceId && !stayedUsual(finding))
      .map(({ metric }) => metric),
  );
  const calm = facts.metrics
    .filter(({ subject, metric }) => subject.kind === 'host' && !moved.has(metric) && metric !== facts.metric)
    .filter((metric) => isUsualKnown(facts, metric))
    .map(({ metric }) => metric)
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
  if (calm.length === 0) return '';
  return `As usual on ${plain(facts.service.host)}: ${listed(calm.map(plain))}.`;
}

/** Whether a finding is about a metric that moved, but not out of its usual range. */
function stayedUsual({ detector, evidence }: FindingDraft): boolean {
  const ranges = evidence[0]?.stats['ranges'];
  return detector === 'host-metrics' && typeof ranges === 'number' && isUsual(ranges);
}

function order(metric: string): number {
  const kind = classOf(metric);
  return kind === 'effect' || kind === 'work' ? 1 : 0;
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
