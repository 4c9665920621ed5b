import type { PeerMetricFacts, Series } from '../facts.ts';
import { worseOf } from '../metric-class.ts';
import { slice } from '../statistics/slice.ts';
import { fromWindow, valuesNear } from './align-series.ts';
import { jackknifeCorrelation } from './jackknife-correlation.ts';
import { type Movement, movementOf, type RankingParameters } from './movement.ts';
import type { FleetSymptom } from './symptom.ts';

/** One metric of another host, with measures of how well it fits the symptom. */
export interface Trace {
  readonly facts: PeerMetricFacts;
  readonly window: Series;
  readonly movement: Movement;
  /** Signed correlation with the symptom, -1 to 1; 0 where there is too little to compare. */
  readonly correlation: number;
  /** The standard error of the correlation. */
  readonly error: number;
  /** The number of compared values. */
  readonly compared: number;
  /** 0 to 1: similarity to the symptom, reduced by what chance may explain. */
  readonly together: number;
  /** 0 to 1: similarity to the symptom times the strength of the movement. */
  readonly score: number;
}

/**
 * The min number of compared values for which a series may be compared with a lead of up to `MAX_LEAD` steps over the
 * symptom.
 */
const ENOUGH_FOR_LEADS = 20;
const MAX_LEAD = 2;

export interface Comparison {
  readonly from: number;
  /** The max time between two values that are compared, ms. */
  readonly within: number;
  /** The number of metrics compared besides the metric that the investigation is about. */
  readonly others: number;
  readonly parameters: RankingParameters;
}

/** Compares one metric of another host with the symptom. */
export function traceOf(facts: PeerMetricFacts, symptom: FleetSymptom, comparison: Comparison): Trace {
  const { from, within, others, parameters } = comparison;
  const window = fromWindow(facts.recent, Math.min(from, symptom.window.times[0] ?? from), symptom.stepMs);
  const before = slice(facts.recent, Number.NEGATIVE_INFINITY, window.times[0] ?? from).values;
  const movement = movementOf(facts.metric, window, facts.usual, parameters, before, symptom.since);
  const { correlation, error, compared } = strongest(symptom, window, within);
  const together =
    facts.metric === symptom.facts.metric
      ? Math.max(0, correlation)
      : beyondChance(correlation * directionOf(facts.metric, correlation, symptom), compared, others);
  const score = together * movement.strength;
  return { facts, window, movement, correlation, error, compared, together, score };
}

/** The correlation at the lead of 0 to `MAX_LEAD` steps for which it is largest. */
function strongest(
  symptom: FleetSymptom,
  series: Series,
  within: number,
): Pick<Trace, 'correlation' | 'error' | 'compared'> {
  const { times, values } = symptom.window;
  let best = { correlation: 0, error: 0, compared: 0 };
  for (let lead = 0; lead <= MAX_LEAD; lead++) {
    const near = valuesNear(
      times.map((time) => time - lead * symptom.stepMs),
      series,
      within,
    );
    const compared = near.reduce((count, value) => (Number.isFinite(value) ? count + 1 : count), 0);
    if (lead > 0 && compared < ENOUGH_FOR_LEADS) break;
    const { r: correlation, error } = jackknifeCorrelation(values, near) ?? { r: 0, error: 0 };
    if (lead === 0 || Math.abs(correlation) > Math.abs(best.correlation))
      best = { correlation, error, compared };
  }
  return best;
}

/**
 * The sign that makes the correlation of a metric which gets worse with the symptom positive; that of the correlation
 * itself where the name of the metric does not say what is worse.
 */
function directionOf(metric: string, correlation: number, { rises }: FleetSymptom): number {
  const worse = worseOf(metric);
  return worse === 0 ? Math.sign(correlation) : worse * (rises ? 1 : -1);
}

/** A correlation less the largest one that `tries` unrelated series are expected to reach. */
function beyondChance(correlation: number, compared: number, tries: number): number {
  const chance = Math.sqrt((2 * Math.log(Math.max(2, tries))) / Math.max(1, compared - 3));
  return Math.tanh(Math.max(0, Math.atanh(Math.min(Math.max(0, correlation), 1 - 1e-9)) - chance));
}
