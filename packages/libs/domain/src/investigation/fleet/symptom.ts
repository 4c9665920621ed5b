import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts, Series, Usual } from '../facts.ts';
import { median } from '../statistics/robust.ts';
import { chain, slice } from '../statistics/slice.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { comparedStep } from '../window.ts';
import { fromWindow, inSteps } from './align-series.ts';
import { deviation, type Movement, movementOf, type RankingParameters } from './movement.ts';

/** The metric under investigation on the alerting host, with which other hosts are compared. */
export interface FleetSymptom {
  readonly facts: MetricFacts;
  /** The symptom from `comparedFrom` on, in the steps of the series of other hosts. */
  readonly window: Series;
  readonly stepMs: number;
  readonly movement: Movement;
  /** Whether the symptom rose, rather than fell, when the trouble began. */
  readonly rises: boolean;
  /** When the trouble began according to the symptom, ms; null if the symptom does not show it. */
  readonly since: number | null;
  /** 0 to 1: whether the symptom moved at all; a healthy metric with a low threshold has no cause. */
  readonly evident: number;
}

/** The min probability of a symptom from which the start of the trouble is taken. */
const MIN_SHIFT = 0.5;
/** The max number of values from before the window that are used. */
const ENOUGH_BEFORE = 64;
/** The deviation beyond the usual one, in usual spreads, at which a symptom counts as half evident. */
const HALF_EVIDENT = 0.1;
/** How much time before the trouble is compared, ms, if the trouble began before the window. */
const CALM_MS = 30 * MINUTE_MS;
/** How much of the data of other hosts is reserved for their baseline, ms. */
const USUAL_MS = 30 * MINUTE_MS;

/**
 * The start of the comparison between hosts, ms: that of the window, or half an hour before the trouble if it began before
 * the window. A window that lies within the trouble would show no movement.
 */
export function comparedFrom(facts: Facts, stepMs: number): number {
  const { startedAt } = symptomOf(facts);
  return startedAt > facts.from - stepMs ? facts.from : calmBefore(facts, startedAt);
}

/**
 * The start of the comparison by which hosts count as affected by a change, ms. A window that somebody chose may begin with the trouble; without
 * the time before, a host that is in trouble all the while shows no movement in it.
 */
export function affectedFrom(facts: Facts): number {
  const stepMs = comparedStep(facts);
  const { startedAt } = symptomOf(facts);
  const isAtBegin = Math.abs(startedAt - facts.from) <= stepMs;
  return isAtBegin ? calmBefore(facts, startedAt) : comparedFrom(facts, stepMs);
}

function calmBefore({ from, peersFrom }: Facts, startedAt: number): number {
  return Math.min(from, Math.max(startedAt - CALM_MS, peersFrom + USUAL_MS));
}

/** The investigated series since `from` (ms); if only a host was named, its metric that moved most. Null if there is none. */
export function fleetSymptomOf(
  facts: Facts,
  parameters: RankingParameters,
  from: number,
): FleetSymptom | null {
  const { metric } = symptomOf(facts);
  if (metric !== null) return symptomIn(metric, facts, from, parameters);
  if (facts.metric !== null) return null;
  return facts.metrics
    .filter(({ subject }) => subject.kind === 'host')
    .map((each) => symptomIn(each, facts, from, parameters))
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
  facts: Facts,
  from: number,
  parameters: RankingParameters,
): FleetSymptom | null {
  const stepMs = comparedStep(facts);
  const before = slice(metric.history, Number.NEGATIVE_INFINITY, from);
  const older = slice(metric.history, from, facts.from);
  const tail = {
    times: before.times.subarray(-ENOUGH_BEFORE),
    values: before.values.subarray(-ENOUGH_BEFORE),
  };
  const whole = chain(chain(tail, older), slice(metric.recent, facts.from, facts.to));
  const window = fromWindow(inSteps(whole, stepMs), from, stepMs);
  if (window.times.length === 0) return null;
  const usual = usualOf(before.values);
  const since = beganAt(facts, stepMs);
  const movement = movementOf(metric.metric, window, usual, parameters, undefined, since);
  const level = usual.count > 0 ? usual.median : median(window.values);
  const rise = Math.abs(movement.rise ?? 0) / 2;
  const distance = Math.max(Math.hypot(deviation(window.values), median(window.values) - level), rise);
  const excess = Math.max(0, distance / movement.spread - 1);
  return {
    facts: metric,
    window,
    stepMs,
    movement,
    rises: risesIn(window, level),
    since: since ?? movement.startedAt,
    evident: excess / (excess + HALF_EVIDENT),
  };
}

/** The step in which the symptom left its usual level; null if it did not. */
function beganAt(facts: Facts, stepMs: number): number | null {
  const { shift } = symptomOf(facts);
  if (shift === null || shift.score < MIN_SHIFT) return null;
  return Math.floor(shift.startedAt / stepMs) * stepMs;
}

/** Whether the value of the window that is furthest from the usual level lies above it. */
function risesIn({ values }: Series, level: number): boolean {
  return values.reduce((most, v) => (Math.abs(v - level) > Math.abs(most) ? v - level : most), 0) >= 0;
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
