import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { metricEvidence } from '../evidence.ts';
import type { Facts, MetricFacts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { classOf } from '../metric-class.ts';
import type { Shift } from '../outlook.ts';
import { type LaggedCorrelation, laggedCorrelation } from '../statistics/correlation.ts';
import { slice, stepOf } from '../statistics/slice.ts';
import { shiftOf } from '../symptom/shift.ts';
import { type Symptom, symptomOf } from '../symptom/symptom.ts';
import { span } from '../words/figures.ts';
import { plain } from '../words/names.ts';
import { shiftInWords, shiftTitle } from './alerting-metric.ts';

/** Metrics with a lower score are not reported. */
const LEAST = 0.2;
const MAX_FINDINGS = 12;
/** The maximum lag between two metrics, in steps, in either direction. */
const LAGS = 5;

/**
 * Finds the other metrics of the host that shifted, with their onset and their lagged correlation with the symptom. A
 * metric that shifted well after the symptom or does not correlate with it scores low; resources rank before effects
 * (`classOf`).
 */
export const otherMetrics: Detector = {
  name: 'other-metrics',
  detect(facts) {
    const symptom = symptomOf(facts);
    const findings: FindingDraft[] = [];
    for (const metric of facts.metrics) {
      if (metric === symptom.metric || metric.subject.kind !== 'host') continue;
      const shift = shiftOf(metric, symptom.outlook);
      if (shift === null) continue;
      const together = togetherWith(symptom, metric, facts);
      const score = shift.score * agreement(symptom, shift) * alike(together) * weightOf(metric.metric);
      if (score >= LEAST / 4 && shift.score >= LEAST)
        findings.push(finding(facts, symptom, metric, shift, together, score));
    }
    return findings.sort((a, b) => b.score - a.score).slice(0, MAX_FINDINGS);
  },
};

function finding(
  facts: Facts,
  symptom: Symptom,
  metric: MetricFacts,
  shift: Shift,
  together: LaggedCorrelation | null,
  score: number,
): FindingDraft {
  const piece = metricEvidence(metric, shift, facts.to);
  return aboutHost(facts, {
    kind: 'correlated_metric',
    detector: 'other-metrics',
    title: shiftTitle(facts, metric, shift),
    description: `${shiftInWords(facts, metric, shift)} ${inOrder(facts, symptom, shift, together)}`.trim(),
    score,
    subject: metric.subject,
    metric: metric.metric,
    baseline: shift.baseline,
    observed: shift.observed,
    startedAt: shift.startedAt,
    evidence: [
      {
        ...piece,
        stats: {
          ...piece.stats,
          correlation: together?.r ?? null,
          lead_seconds: together === null ? null : together.leadMs / 1_000,
        },
      },
    ],
  });
}

function togetherWith(symptom: Symptom, metric: MetricFacts, facts: Facts): LaggedCorrelation | null {
  if (symptom.metric === null) return null;
  const from = Math.min(symptom.startedAt - HOUR_MS, facts.to - 2 * HOUR_MS);
  const near = slice(symptom.metric.history, Math.max(from, facts.to - 4 * HOUR_MS), facts.to);
  const step = stepOf(near.times);
  return step === 0 ? null : laggedCorrelation(near, metric.history, step, LAGS);
}

/** How well two onsets agree, 0 to 1: a cause begins with its effect or a few minutes earlier. */
function agreement(symptom: Symptom, shift: Shift): number {
  if (symptom.shift === null) return 0.5;
  const before = symptom.startedAt - shift.startedAt;
  const patience = shift.shape === 'ramp' || symptom.shift.shape === 'ramp' ? 30 * MINUTE_MS : 10 * MINUTE_MS;
  return before >= 0 ? Math.exp(-before / patience) : Math.exp(before / (patience / 2));
}

function alike(together: LaggedCorrelation | null): number {
  return together === null ? 0.5 : 0.25 + 0.75 * Math.abs(together.r);
}

function weightOf(metric: string): number {
  return classOf(metric) === 'effect' ? 0.5 : 1;
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
