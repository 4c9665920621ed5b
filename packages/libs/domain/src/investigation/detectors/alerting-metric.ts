import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { metricEvidence } from '../evidence.ts';
import type { Facts, MetricFacts } from '../facts.ts';
import type { Shift } from '../outlook.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { clock, figure, roughly, span, valuesInWords } from '../words/figures.ts';
import { plain, subjectInWords } from '../words/names.ts';

/**
 * Reports whether the metric under investigation shifted, by how much and since when (`shiftOf`). This finding names no
 * cause; the findings of other detectors are compared with this shift.
 */
export const alertingMetric: Detector = {
  name: 'alerting-metric',
  detect(facts) {
    const { metric, shift, episode } = symptomOf(facts);
    if (metric === null || shift === null) return [];
    const again =
      episode.from > shift.startedAt
        ? ` It came back in between and is away again since ${clock(episode.from, facts.to)}.`
        : '';
    return [
      aboutHost(facts, {
        kind: 'metric_shift',
        detector: 'alerting-metric',
        title: shiftTitle(facts, metric, shift),
        description: `${shiftInWords(facts, metric, shift)}${again}`,
        score: shift.score,
        subject: metric.subject,
        metric: metric.metric,
        baseline: shift.baseline,
        observed: shift.observed,
        startedAt: shift.startedAt,
        evidence: [metricEvidence(metric, shift, facts.to)],
      }),
    ];
  },
};

/** "cpu_percent of web-01 rose from 22 % to 96 %". */
export function shiftTitle(facts: Facts, metric: MetricFacts, shift: Shift): string {
  const verb = shift.delta > 0 ? (shift.shape === 'ramp' ? 'has climbed' : 'rose') : 'fell';
  const [from, to] = [shift.baseline.median, shift.baseline.median + shift.delta];
  return `${plain(metric.metric)} of ${subjectInWords(metric.subject, facts.service.host)} ${verb} from ${figure(metric.metric, from)} to ${figure(metric.metric, to)}`;
}

/** Describes the shift with its times and how unusual it is. */
export function shiftInWords(facts: Facts, metric: MetricFacts, shift: Shift): string {
  const { baseline, observed } = shift;
  const usual = `Its median over ${span(baseline.to - baseline.from)} before was ${figure(metric.metric, baseline.median)}`;
  const since = `${shift.shape === 'ramp' ? 'it has moved steadily' : 'it changed'} at ${clock(shift.startedAt, facts.to)}`;
  const range = `${figure(metric.metric, observed.min)} to ${figure(metric.metric, observed.max)} in ${valuesInWords(observed.count)} since`;
  const size = `The difference is ${roughly(Math.abs(shift.z))} times what such differences usually are there`;
  const again = shift.usualAtThisTime ? ' A day before it stood as high at the same time.' : '';
  return `${usual}; ${since} (${range}). ${size}.${again}`;
}
