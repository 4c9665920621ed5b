import type { Facts, MetricFacts, Series } from '../facts.ts';
import { median } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';
import { symptomOf } from '../symptom.ts';
import { deviation, type Movement, movementOf, type Usual } from './movement.ts';
import { fromWindow, inSteps, stepOf } from './pairs.ts';

/** What other hosts are compared with: the metric in question, where it was asked. */
export interface FleetSymptom {
  readonly facts: MetricFacts;
  /** In the steps of the peers, from `Facts.from` on. */
  readonly window: Series;
  readonly stepMs: number;
  readonly movement: Movement;
  /** 0 to 1: whether anything happened that could have a cause; a healthy metric under a low threshold has none. */
  readonly evident: number;
}

/** At so many usual spreads more than usual, a symptom is half evident. */
const HALF_EVIDENT = 0.1;

/** The series that the question is about; where only a host was named, its metric that moved most. Null where it has none. */
export function fleetSymptomOf(facts: Facts): FleetSymptom | null {
  const stepMs = stepOf(facts);
  const { metric } = symptomOf(facts);
  if (metric !== null) return symptomIn(metric, facts, stepMs);
  if (facts.metric !== null) return null;
  return facts.metrics
    .filter(({ subject }) => subject.kind === 'host')
    .map((each) => symptomIn(each, facts, stepMs))
    .reduce<FleetSymptom | null>(
      (most, symptom) =>
        symptom !== null && (most === null || symptom.movement.excess > most.movement.excess)
          ? symptom
          : most,
      null,
    );
}

function symptomIn(metric: MetricFacts, { from, to }: Facts, stepMs: number): FleetSymptom | null {
  const before = slice(metric.history, Number.NEGATIVE_INFINITY, from);
  const window = fromWindow(inSteps(joined(before, slice(metric.recent, from, to)), stepMs), from, stepMs);
  if (window.times.length === 0) return null;
  const usual = usualOf(before.values);
  const movement = movementOf(metric.metric, window, usual);
  const level = usual.count > 0 ? usual.median : median(window.values);
  const distance = Math.hypot(deviation(window.values), median(window.values) - level);
  const excess = Math.max(0, distance / movement.spread - 1);
  return { facts: metric, window, stepMs, movement, evident: excess / (excess + HALF_EVIDENT) };
}

function joined(before: Series, after: Series): Series {
  return {
    times: Float64Array.of(...before.times.subarray(-ENOUGH_BEFORE), ...after.times),
    values: Float64Array.of(...before.values.subarray(-ENOUGH_BEFORE), ...after.values),
  };
}

/** More are never asked of what lies before the window. */
const ENOUGH_BEFORE = 64;

function usualOf(values: Float64Array): Usual {
  if (values.length === 0) return { median: 0, mad: 0, min: 0, max: 0, count: 0 };
  const middle = median(values);
  return {
    median: middle,
    mad: median(values.map((value) => Math.abs(value - middle))),
    min: values.reduce((least, value) => Math.min(least, value)),
    max: values.reduce((most, value) => Math.max(most, value)),
    count: values.length,
  };
}
