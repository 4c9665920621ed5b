import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { distanceFromUsual } from '@tidewatch/domain/investigation/departure/compared-metrics';
import type { PeerMetricFacts, Series } from '@tidewatch/domain/investigation/facts';
import { comparedStep } from '@tidewatch/domain/investigation/window';

/** The min number of hours from which the variation of a metric over a day is computed. */
const ENOUGH_HOURS = 6;

/** The time ranges that an investigation reads, ms. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly historyFrom: number;
  readonly peersFrom: number;
  readonly intervalMs: number;
  /** The time before which values of other hosts are usual where their metrics are chosen. */
  readonly since: number;
}

/**
 * Reduces a metric of another host as the store does: samples or means of steps, the usual level before the window, and
 * how far it left its history. Empty for a metric without values before.
 */
export function reducePeerMetric(
  host: string,
  metric: string,
  series: Series,
  { from, to, historyFrom, peersFrom, intervalMs, since }: Stretch,
): Array<{ metric: string; facts: PeerMetricFacts; distance: number }> {
  const begin = Math.floor(peersFrom / MINUTE_MS) * MINUTE_MS;
  const stepMs = comparedStep({ from, to, intervalMs });
  const recent = means(seriesBetween(series, begin, to), stepMs);
  const near = recent.values.filter((_, i) => (recent.times[i] as number) < from);
  const usualTo = Math.floor(Math.min(from, since) / HOUR_MS) * HOUR_MS;
  const past = seriesBetween(series, historyFrom, usualTo);
  const far = means(past, HOUR_MS).values;
  const level = near.length > 0 ? near : far;
  if (level.length === 0) return [];
  const middle = medianOf(level);
  const daily = far.length < ENOUGH_HOURS ? 0 : spreadOf(far, medianOf(far));
  const before = seriesBetween(series, historyFrom, from).values;
  const usual = {
    median: middle,
    mad: Math.max(spreadOf(level, middle), daily),
    min: before.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: before.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    count: before.length,
    hourly: far,
  };
  const source = { ref: `host:${host}/${metric}`, query: `series ${host} ${metric}`, from: begin, to };
  return [
    {
      metric,
      facts: { metric, usual, recent, source },
      distance: distanceOf(metric, series, { peersFrom, since, to }),
    },
  ];
}

function distanceOf(
  metric: string,
  series: Series,
  { peersFrom, since, to }: Pick<Stretch, 'peersFrom' | 'since' | 'to'>,
): number {
  const usual = means(seriesBetween(series, peersFrom, since), MINUTE_MS).values;
  const late = means(seriesBetween(series, since, to), MINUTE_MS).values;
  if (usual.length === 0 || late.length === 0) return 0;
  const mean = meanOf(usual);
  const deviation = Math.sqrt(meanOf(usual.map((value) => (value - mean) ** 2)));
  return distanceFromUsual(metric, { mean, deviation, max: Math.max(...late), min: Math.min(...late) });
}

/** The part of a series in `[from, to)`. */
export function seriesBetween({ times, values }: Series, from: number, to: number): Series {
  const inside = (_: number, i: number) => (times[i] as number) >= from && (times[i] as number) < to;
  return { times: times.filter(inside), values: values.filter(inside) };
}

function means({ times, values }: Series, stepMs: number): Series {
  const steps = Map.groupBy(
    Array.from(times.keys()),
    (i) => Math.floor((times[i] as number) / stepMs) * stepMs,
  );
  return {
    times: Float64Array.from(steps.keys()),
    values: Float64Array.from(steps.values(), (indexes) => meanOf(indexes.map((i) => values[i] as number))),
  };
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / values.length;
}

function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function spreadOf(values: ArrayLike<number>, middle: number): number {
  return medianOf(Float64Array.from(values).map((value) => Math.abs(value - middle)));
}
