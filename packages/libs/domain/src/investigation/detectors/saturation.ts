import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Detector } from '../detector.ts';
import { aboutHost } from '../draft.ts';
import { metricEvidence } from '../evidence.ts';
import type { Facts, MetricFacts, Series } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { classOf, type MetricClass } from '../metric-class.ts';
import type { Shift } from '../outlook.ts';
import { fitLine, type Line } from '../statistics/line.ts';
import { median, spreadAround } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { shiftOf } from '../symptom/shift.ts';
import { type Symptom, symptomOf } from '../symptom/symptom.ts';
import { clock, figure, isoTime, span } from '../words/figures.ts';
import { plain } from '../words/names.ts';
import { shiftInWords } from './alerting-metric.ts';

const FULL = 100;
const NEARLY_FULL = 88;
/** The min share of variance that a line must explain before it is extrapolated. */
const FIT = 0.7;
/** A rate counts as limited if its relative variation is at most this share of the variation before. */
const FLAT = 0.5;
/** How many values show how a rate varied before. */
const MIN_BEFORE = 5;

interface Limit {
  readonly metric: MetricFacts;
  readonly shift: Shift;
  readonly kind: 'full' | 'filling' | 'ceiling';
  /** When the fitted line reaches the limit, ms; null if the limit is reached already. */
  readonly fullAt: number | null;
  readonly line: Line | null;
}

/**
 * Finds resources at their limit or close to it: percentages that rose to 88 or more or will reach 100 within a day ("disk
 * full at …"), and rates that rose and stay flat at their highest value of the day, as links and disks do at capacity. What
 * processes use up is left to the detectors of processes.
 */
export const saturation: Detector = {
  name: 'saturation',
  detect(facts) {
    const symptom = symptomOf(facts);
    const findings: FindingDraft[] = [];
    for (const metric of facts.metrics) {
      if (metric.subject.kind !== 'host' || classOf(metric.metric) === 'effect') continue;
      const shift = metric === symptom.metric ? symptom.shift : shiftOf(metric, symptom.outlook);
      const limit =
        shift === null || shift.delta <= 0 || Math.abs(shift.z) < 3 ? null : limitOf(facts, metric, shift);
      if (limit !== null) findings.push(finding(facts, symptom, limit));
    }
    return findings.sort((a, b) => b.score - a.score).slice(0, 4);
  },
};

function limitOf(facts: Facts, metric: MetricFacts, shift: Shift): Limit | null {
  const now = shift.baseline.median + shift.delta;
  if (!metric.metric.endsWith('_percent')) {
    return isFlat(metric, shift, facts.to)
      ? { metric, shift, kind: 'ceiling', fullAt: null, line: null }
      : null;
  }
  const line = fitLine(slice(metric.history, Math.max(shift.startedAt, facts.to - 6 * HOUR_MS), facts.to));
  const climbing = line !== null && line.slope > 0 && line.fit >= FIT;
  const fullAt = climbing ? facts.to + (FULL - line.at(facts.to)) / line.slope : null;
  if (fullAt !== null && fullAt > facts.to && fullAt - facts.to < DAY_MS)
    return { metric, shift, kind: 'filling', fullAt, line };
  return now >= NEARLY_FULL ? { metric, shift, kind: 'full', fullAt: null, line: null } : null;
}

/** Whether the metric stays at its highest known level and varies relatively less than before the shift. */
function isFlat(metric: MetricFacts, shift: Shift, to: number): boolean {
  const since = slice(metric.recent, shift.startedAt, to);
  const before = lately(metric, to - 3 * HOUR_MS, shift.startedAt);
  if (since.values.length < 3 || before.values.length < MIN_BEFORE) return false;
  // A rate that is measured less often than it is reported stays the same for a while at any level.
  if (since.values.length <= maxRunOf(before.values)) return false;
  const top = median(since.values);
  const usual = median(before.values);
  const past = slice(metric.history, Number.NEGATIVE_INFINITY, shift.startedAt - MINUTE_MS);
  if (top < highest(past) || usual <= 0) return false;
  return spreadAround(since.values, top) / top <= (FLAT * spreadAround(before.values, usual)) / usual;
}

/** The largest number of neighbouring values that are equal. */
function maxRunOf(values: Float64Array): number {
  let most = 0;
  let run = 0;
  for (let i = 0; i < values.length; i++) {
    run = i > 0 && values[i] === values[i - 1] ? run + 1 : 1;
    most = Math.max(most, run);
  }
  return most;
}

/** The samples of the window before `to`; where the window begins with the shift, those before the window. */
function lately({ recent, before, history }: MetricFacts, from: number, to: number): Series {
  const parts = [recent, before, history].map((series) => slice(series, from, to));
  return parts.find(({ values }) => values.length >= MIN_BEFORE) ?? (parts[0] as Series);
}

function highest({ values }: Series): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** The probability that the limit itself is the cause, rather than a user of the resource. */
const BLAME: Record<MetricClass, number> = {
  space: 0.95,
  traffic: 0.8,
  work: 0.6,
  memory: 0.3,
  cpu: 0.3,
  effect: 0.1,
};

function finding(facts: Facts, symptom: Symptom, limit: Limit): FindingDraft {
  const { metric, shift } = limit;
  const own = metric === symptom.metric;
  const ahead = symptom.startedAt - shift.startedAt;
  const patience = shift.shape === 'ramp' ? 60 * MINUTE_MS : 10 * MINUTE_MS;
  const inTime =
    own || ahead >= 0
      ? Math.exp(-Math.max(0, own ? 0 : ahead) / patience)
      : Math.exp(ahead / (5 * MINUTE_MS));
  const piece = metricEvidence(metric, shift, facts.to);
  return aboutHost(facts, {
    kind: kindOf(symptom, metric),
    detector: 'saturation',
    title: titleOf(facts, limit),
    description: `${shiftInWords(facts, metric, shift)} ${sentenceOf(facts, limit)}`,
    score: shift.score * BLAME[classOf(metric.metric)] * inTime,
    subject: metric.subject,
    metric: metric.metric,
    baseline: shift.baseline,
    observed: summaryOf(slice(metric.history, shift.startedAt, facts.to), shift.startedAt, facts.to),
    startedAt: shift.startedAt,
    evidence: [
      {
        ...piece,
        stats: {
          ...piece.stats,
          full_at: limit.fullAt === null ? null : isoTime(limit.fullAt),
          slope_per_hour: limit.line === null ? null : limit.line.slope * HOUR_MS,
          fit: limit.line?.fit ?? null,
        },
      },
    ],
  });
}

/** Processors and memory are used up by processes, so their finding is about the metric and not about the limit. */
function kindOf(symptom: Symptom, metric: MetricFacts): FindingDraft['kind'] {
  const use = classOf(metric.metric);
  if (use !== 'cpu' && use !== 'memory') return 'saturation';
  return metric === symptom.metric ? 'metric_shift' : 'correlated_metric';
}

function titleOf(facts: Facts, { metric, shift, kind, fullAt }: Limit): string {
  const what = `${plain(metric.metric)} of ${plain(facts.service.host)}`;
  const now = figure(metric.metric, shift.baseline.median + shift.delta);
  if (kind === 'filling' && fullAt !== null)
    return `${what} is at ${now} and will be full at ${clock(fullAt, facts.to)}`;
  return kind === 'full' ? `${what} is nearly full: ${now}` : `${what} stands at its ceiling of ${now}`;
}

function sentenceOf(facts: Facts, { metric, kind, fullAt, line }: Limit): string {
  if (kind === 'filling' && fullAt !== null && line !== null)
    return `It grows by ${figure(metric.metric, line.slope * HOUR_MS)} an hour and reaches 100 % in ${span(fullAt - facts.to)} if that goes on.`;
  if (kind === 'ceiling')
    return 'It never was higher, and varies much less than before, as what has reached its capacity does.';
  return 'Little of it is left.';
}
