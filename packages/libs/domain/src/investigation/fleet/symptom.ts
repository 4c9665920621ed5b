import type { Facts, MetricFacts, Series } from '../facts.ts';
import { median } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';
import { symptomOf } from '../symptom.ts';
import { deviation, type Movement, movementOf, type RankingParameters, type Usual } from './movement.ts';
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

/** More values are never asked of what lies before the window. */
const ENOUGH_BEFORE = 64;
/** At so many usual spreads more than usual, a symptom is half evident. */
const HALF_EVIDENT = 0.1;

/** The series that the question is about; where only a host was named, its metric that moved most. Null where it has none. */
export function fleetSymptomOf(facts: Facts, parameters: RankingParameters): FleetSymptom | null {
  const stepMs = stepOf(facts);
  const { metric } = symptomOf(facts);
  if (metric !== null) return symptomIn(metric, facts, stepMs, parameters);
  if (facts.metric !== null) return null;
  return facts.metrics
    .filter(({ subject }) => subject.kind === 'host')
    .map((each) => symptomIn(each, facts, stepMs, parameters))
    .reduce<FleetSymptom | null>(
      (most, symptom) =>
        symptom !== null && (most === null || symptom.movement.excess > most.movement.excess)
          ? symptom
          : most,
      null,
    );
}

function symptomIn(
  metric: MetricFacts,
  { from, to }: Facts,
  stepMs: number,
  parameters: RankingParameters,
): FleetSymptom | null {
  const before = slice(metric.history, Number.NEGATIVE_INFINITY, from);
  const window = fromWindow(inSteps(joined(before, slice(metric.recent, from, to)), stepMs), from, stepMs);
  if (window.times.length === 0) return null;
  const usual = usualOf(before.values);
  const movement = movementOf(metric.metric, window, usual, parameters);
  const level = usual.count > 0 ? usual.median : median(window.values);
  const distance = Math.hypot(deviation(window.values), median(window.values) - level);
  const excess = Math.max(0, distance / movement.spread - 1);
  return { facts: metric, window, stepMs, movement, evident: excess / (excess + HALF_EVIDENT) };
}

function joined(before: Series, after: Series): Series {
  const tail = {
    times: before.times.subarray(-ENOUGH_BEFORE),
    values: before.values.subarray(-ENOUGH_BEFORE),
  };
  return { times: chain(tail.times, after.times), values: chain(tail.values, after.values) };
}

function chain(first: Float64Array, second: Float64Array): Float64Array {
  const whole = new Float64Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

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
