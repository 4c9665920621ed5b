import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { type Departure, isUsual } from '../departure/departure.ts';
import { troubleBegin } from '../departure/trouble-begin.ts';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { metricEvidence } from '../evidence.ts';
import type { Facts, MetricFacts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import type { Shift } from '../outlook.ts';
import { type LaggedCorrelation, laggedCorrelation } from '../statistics/correlation.ts';
import { slice, stepOf } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { shiftOf } from '../symptom/shift.ts';
import { type Symptom, symptomOf } from '../symptom/symptom.ts';
import { figure, span } from '../words/figures.ts';
import { plain } from '../words/names.ts';
import { shiftInWords, shiftTitle } from './alerting-metric.ts';
import { type ScoredMetric, scoresBesideSymptom, scoresOfHost } from './own-scores.ts';

/** The maximum lag between two metrics, in steps, in either direction. */
const LAGS = 5;

/**
 * Finds the metrics of the host that left their own history (`departureOf`), the strongest first. A resource counts by its
 * distance from its usual range, unless a process or container explains it; an effect counts by what resources and hosts
 * that are like the symptom leave unexplained. Of a host in question without a metric, all metrics count by how far they
 * moved and how many move with them.
 */
export const ownMetrics: Detector = {
  name: 'own-metrics',
  detect(facts) {
    const symptom = symptomOf(facts);
    const scored = facts.metric === null ? scoresOfHost(facts) : scoresBesideSymptom(facts, symptom);
    return scored.map((each) => ({ ...finding(facts, symptom, each), detector: each.detector }));
  },
};

function finding(
  facts: Facts,
  symptom: Symptom,
  { metric, departure, score, together: company }: ScoredMetric,
): FindingDraft {
  const others = company === null ? null : Math.round(company - 1);
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
      companyInWords(others),
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
          moving_together: others,
          correlation: together?.r ?? null,
          lead_seconds: together === null ? null : together.leadMs / 1_000,
        },
      },
    ],
  });
}

function departureTitle(facts: Facts, { metric }: MetricFacts, departure: Departure): string {
  const { low, high, width, ranges, median, level } = departure;
  const name = `${plain(metric)} of ${plain(facts.service.host)}`;
  if (isUsual(ranges)) return `${name} went to ${figure(metric, median + level * width)}, as usual`;
  const reached = ranges >= 0 ? high + ranges * width : low + ranges * width;
  return `${name} reached ${figure(metric, reached)}`;
}

function departureInWords({ metric }: MetricFacts, { low, high, ranges, count }: Departure): string {
  const usual = `In ${count} values before it lay between ${figure(metric, low)} and ${figure(metric, high)}`;
  if (isUsual(ranges)) return `${usual}, and it did not leave that range.`;
  return `${usual}; it went ${Math.abs(ranges).toFixed(1)} times that range ${ranges >= 0 ? 'above' : 'below'} it.`;
}

function companyInWords(others: number | null): string {
  if (others === null || others === 0) return '';
  return others === 1
    ? '1 other metric of the host moved with it.'
    : `${others} other metrics of the host moved with it.`;
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
