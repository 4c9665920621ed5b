import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts, MetricFacts } from '../facts.ts';
import { firstAt, slice, stepOf } from '../statistics/slice.ts';
import { isPast, MIN_KNOWN_VALUES, pastBefore } from './past.ts';
import { doubtOf } from './shift.ts';
import { symptomOf } from './symptom.ts';

/** Whether there is enough data for a baseline of a metric. */
export function isUsualKnown(facts: Facts, metric: MetricFacts): boolean {
  const { outlook } = symptomOf(facts);
  const before = pastBefore(metric.history, doubtOf(metric.history, outlook));
  return isPast(before, metric.history, outlook.to);
}

/** How much is known of the metric from before the trouble, if that is too little for a baseline. */
export interface TooLittleHistory {
  /** The number of values from before the trouble, and the period that they cover, ms. */
  readonly count: number;
  readonly spanMs: number;
  /** When the trouble began, ms: only earlier values count. */
  readonly before: number;
  /** Minimum, maximum and last value in all available data; null if there is no data. */
  readonly seen: { readonly min: number; readonly max: number; readonly last: number } | null;
  /** The time at which there is enough data if the host continues to report, ms; null where waiting does not help. */
  readonly enoughAt: number | null;
}

/**
 * Describes the history of the investigated metric if it is too short for a baseline. Null if it is long enough, or if the
 * investigation is about no metric or about missing data.
 */
export function tooLittleHistory(facts: Facts): TooLittleHistory | null {
  const { metric, outlook, shift } = symptomOf(facts);
  if (metric === null || shift !== null || facts.alert?.noData === true) return null;
  const { history } = metric;
  const before = doubtOf(history, outlook);
  const past = pastBefore(history, before);
  if (isPast(past, history, outlook.to)) return null;
  const known = history.values.subarray(0, firstAt(history.times, outlook.to));
  // The mean of the minute that contains a step was never reported as a value.
  const { values: seen } =
    metric.recent.values.length > 0 ? slice(metric.recent, facts.from, outlook.to) : { values: known };
  const first = history.times[0] ?? outlook.to;
  const step = Math.max(MINUTE_MS, facts.intervalMs, stepOf(history.times));
  const willSuffice = known.length < MIN_KNOWN_VALUES;
  return {
    count: past.times.length,
    spanMs: past.times.length === 0 ? 0 : before - (past.times[0] as number),
    before,
    seen: seen.length === 0 ? null : rangeOf(seen),
    enoughAt: willSuffice ? Math.max(first + (MIN_KNOWN_VALUES + 1) * step, facts.to + MINUTE_MS) : null,
  };
}

/** With less history than this before the window, ms, what moves may do so every hour, and what does not may have been unusual all the while. */
const LITTLE_MS = HOUR_MS;

/** Whether less than an hour of the investigated metric is known from before the window. */
export function isLittleKnown(facts: Facts): boolean {
  const known = historyBefore(facts);
  return known !== null && known < LITTLE_MS;
}

/** For how long the investigated metric is known from before the window, ms; null if it is not stored or none is investigated. */
export function historyBefore(facts: Facts): number | null {
  const { metric } = symptomOf(facts);
  const first = metric?.history.times[0];
  return first === undefined ? null : Math.max(0, facts.from - first);
}

function rangeOf(values: Float64Array): { min: number; max: number; last: number } {
  const min = values.reduce((least, value) => Math.min(least, value));
  const max = values.reduce((most, value) => Math.max(most, value));
  return { min, max, last: values.at(-1) as number };
}
