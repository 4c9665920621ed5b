import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Departure } from '../departure/departure.ts';
import { ownDeparture, reasonOfOwn, weightOf } from '../departure/reason.ts';
import { troubleBegin } from '../departure/trouble-begin.ts';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { metricEvidence } from '../evidence.ts';
import type { Facts, MetricFacts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { blameOf } from '../fleet/blame.ts';
import { reasonResourceOf, resourceOf } from '../metric-class.ts';
import type { Shift } from '../outlook.ts';
import { type LaggedCorrelation, laggedCorrelation } from '../statistics/correlation.ts';
import { slice, stepOf } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { shiftOf } from '../symptom/shift.ts';
import { type Symptom, symptomOf } from '../symptom/symptom.ts';
import { figure, span } from '../words/figures.ts';
import { plain } from '../words/names.ts';
import { shiftInWords, shiftTitle } from './alerting-metric.ts';
import { explainedBy } from './uses.ts';

/** Metrics with a lower score are not reported. */
const LEAST = 0.02;
const MAX_FINDINGS = 40;
/** The maximum lag between two metrics, in steps, in either direction. */
const LAGS = 5;
/** An effect such as latency or a queue comes behind the use of resources by this factor. */
const BEHIND = 0.5;
/** A metric whose value always rises says nothing by leaving its history. */
const COUNTS_UP = /uptime|boot_?time|timestamp/;

/**
 * Finds the metrics of the host that left their own history (`departureOf`), the strongest first. A resource counts by its
 * distance from its usual range, unless a process or container explains it; an effect counts by what resources and hosts
 * that are like the symptom leave unexplained.
 */
export const ownMetrics: Detector = {
  name: 'own-metrics',
  detect(facts) {
    const symptom = symptomOf(facts);
    const left = facts.metric === null ? 1 : unexplainedByHosts(facts);
    const explained = explainedBy(facts);
    const findings: FindingDraft[] = [];
    for (const metric of facts.metrics) {
      if (metric.subject.kind !== 'host' || COUNTS_UP.test(metric.metric)) continue;
      const departure = ownDeparture(metric, facts);
      if (departure === null || departure.ranges === 0) continue;
      const resource = reasonResourceOf(metric.metric);
      const users = resource === 'cpu' || resource === 'memory' ? explained[resource] : 0;
      const isReason = resource !== null && departure.worse > 0;
      // The finding about the symptom reports an effect that is the symptom itself.
      if (metric === symptom.metric && !isReason) continue;
      const isEffect = facts.metric !== null && resourceOf(metric.metric) === null;
      const score = isReason
        ? weightOf(departure.worse) * (1 - users)
        : weightOf(Math.abs(departure.ranges)) * left * (isEffect ? BEHIND : 1);
      if (score < LEAST) continue;
      const detector = detectorOf(facts, resource, isReason);
      findings.push({ ...finding(facts, symptom, metric, departure, score), detector });
    }
    return findings.sort((a, b) => b.score - a.score).slice(0, MAX_FINDINGS);
  },
};

/**
 * The name by which the calibration has the weights of a finding. Where only the host is in question, whatever left its
 * history is an answer, but for a resource of which less is used.
 */
function detectorOf({ metric }: Facts, resource: string | null, isReason: boolean): string {
  if (metric !== null) return isReason ? 'own-metrics' : 'own-effects';
  return isReason || resource === null ? 'host-metrics' : 'own-effects';
}

/** The share, 0 to 1, that neither a resource of any host nor a host like the symptom explains. */
function unexplainedByHosts(facts: Facts): number {
  const blame = blameOf(facts);
  if (blame === null) return 1 - (reasonOfOwn(facts)?.score ?? 0);
  const alike = Math.max(0, ...blame.suspects.map(({ likeness }) => likeness));
  return blame.ranking.unreasoned * (1 - alike);
}

function finding(
  facts: Facts,
  symptom: Symptom,
  metric: MetricFacts,
  departure: Departure,
  score: number,
): FindingDraft {
  const shift = shiftOf(metric, symptom.outlook);
  const own = metric === symptom.metric;
  const together = own ? null : togetherWith(symptom, metric, facts);
  const piece = metricEvidence(metric, shift, facts.to);
  const begin = departure.startedAt ?? troubleBegin(facts);
  const since = slice(metric.recent.times.length > 0 ? metric.recent : metric.history, begin, facts.to);
  const order = shift === null ? '' : inOrder(facts, symptom, shift, together);
  return aboutHost(facts, {
    kind: own ? 'metric_shift' : 'correlated_metric',
    detector: ownMetrics.name,
    title: shift === null ? departureTitle(facts, metric, departure) : shiftTitle(facts, metric, shift),
    description: [
      shift === null ? '' : shiftInWords(facts, metric, shift),
      departureInWords(metric, departure),
      order,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    score,
    subject: metric.subject,
    metric: metric.metric,
    baseline: shift?.baseline ?? null,
    observed: shift?.observed ?? (since.times.length === 0 ? null : summaryOf(since, begin, facts.to)),
    startedAt: departure.startedAt,
    evidence: [
      {
        ...piece,
        stats: {
          ...piece.stats,
          usual_low: departure.low,
          usual_high: departure.high,
          ranges: departure.ranges,
          history_count: departure.count,
          correlation: together?.r ?? null,
          lead_seconds: together === null ? null : together.leadMs / 1_000,
        },
      },
    ],
  });
}

function departureTitle(facts: Facts, { metric }: MetricFacts, departure: Departure): string {
  const { low, high, width, ranges } = departure;
  const reached = ranges >= 0 ? high + ranges * width : low + ranges * width;
  return `${plain(metric)} of ${plain(facts.service.host)} reached ${figure(metric, reached)}`;
}

function departureInWords({ metric }: MetricFacts, { low, high, ranges, count }: Departure): string {
  return `In ${count} values before it lay between ${figure(metric, low)} and ${figure(metric, high)}; it went ${Math.abs(ranges).toFixed(1)} times that range ${ranges >= 0 ? 'above' : 'below'} it.`;
}
function togetherWith(symptom: Symptom, metric: MetricFacts, facts: Facts): LaggedCorrelation | null {
  if (symptom.metric === null) return null;
  const from = Math.min(symptom.startedAt - HOUR_MS, facts.to - 2 * HOUR_MS);
  const near = slice(symptom.metric.history, Math.max(from, facts.to - 4 * HOUR_MS), facts.to);
  const step = stepOf(near.times);
  return step === 0 ? null : laggedCorrelation(near, metric.history, step, LAGS);
}

function inOrder(facts: Facts, symptom: Symptom, shift: Shift, together: LaggedCorrelation | null): string {
  if (symptom.metric === null || symptom.shift === null) return '';
  const ahead = symptom.startedAt - shift.startedAt;
  const least = Math.max(facts.intervalMs, 1_000);
  const name = plain(symptom.metric.metric);
  const order =
    Math.abs(ahead) <= least
      ? `It moved with ${name}`
      : `It moved ${span(Math.abs(ahead))} ${ahead > 0 ? 'before' : 'after'} ${name}`;
  return together === null ? `${order}.` : `${order}; their correlation is ${together.r.toFixed(2)}.`;
}
