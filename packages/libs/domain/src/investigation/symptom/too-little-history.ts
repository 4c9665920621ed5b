import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
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

/** How much is known of the metric in question from before the trouble, where that is not enough to say what is usual. */
export interface TooLittleHistory {
  /** Values from before the trouble, and the stretch that they lie in, ms. */
  readonly count: number;
  readonly spanMs: number;
  /** The time before which these values lie: when the trouble began, ms. */
  readonly before: number;
  /** Minimum, maximum and last value in all available data; null if there is no data. */
  readonly seen: { readonly min: number; readonly max: number; readonly last: number } | null;
  /** The time at which there is enough data if the host continues to report, ms; null where waiting does not help. */
  readonly enoughAt: number | null;
}

/**
 * How little is known where it is too little to say whether the metric in question moved. Null where enough is known, where the
 * question is about no metric, and where it is about data that are missing.
 */
export function tooLittleHistory(facts: Facts): TooLittleHistory | null {
  const { metric, outlook, shift } = symptomOf(facts);
  if (metric === null || shift !== null || facts.alert?.noData === true) return null;
  const { history } = metric;
  const before = doubtOf(history, outlook);
  const past = pastBefore(history, before);
  if (isPast(past, history, outlook.to)) return null;
  const known = history.values.subarray(0, firstAt(history.times, outlook.to));
  // The mean of a minute in which a step lies was never reported.
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

function rangeOf(values: Float64Array): { min: number; max: number; last: number } {
  const min = values.reduce((least, value) => Math.min(least, value));
  const max = values.reduce((most, value) => Math.max(most, value));
  return { min, max, last: values.at(-1) as number };
}
