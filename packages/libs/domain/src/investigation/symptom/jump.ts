import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { MetricFacts, Series } from '../facts.ts';
import type { Shift } from '../outlook.ts';
import { mean, median, scoreOfDistance, spreadAround } from '../statistics/robust.ts';
import { firstAt, slice } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { floorOf } from './floor.ts';

/** How long before the alert became pending a jump is searched for, ms. */
const AHEAD_MS = 5 * MINUTE_MS;
/** Length of the periods before and after a jump that are compared. */
const BESIDE_MS = 2 * MINUTE_MS;
/** The minimum number of values before a jump with which the jump is compared. */
const MIN_BEFORE = 5;
/** The min size of a jump, in usual spreads. */
const SPREADS = 4;
/** The min size of a jump, as a share of the whole change of the metric. */
const SHARE = 0.4;
/** The size of a jump, in usual spreads, at which it is as probably real as random. */
const HALF = 6;

/**
 * Finds the sudden change that brought an already moving metric over its threshold: the largest difference between two
 * neighbouring periods of two minutes in the last five minutes before the alert became pending.
 * @param away the distance of the metric from its usual value, signed, in its unit
 * @returns null if there is no jump in the direction of `away`
 */
export function jumpOf(metric: MetricFacts, noticedAt: number, away: number, to: number): Shift | null {
  const series = sampled(metric, noticedAt - AHEAD_MS - BESIDE_MS);
  const begin = firstAt(series.times, noticedAt - AHEAD_MS);
  const end = firstAt(series.times, Math.min(noticedAt + 1, to));
  let at = -1;
  let most = 0;
  for (let i = Math.max(1, begin); i < end; i++) {
    const size = changeAt(series, series.times[i] as number, to);
    if (size * away > 0 && Math.abs(size) > Math.abs(most)) {
      most = size;
      at = i;
    }
  }
  const startedAt = series.times[at];
  if (startedAt === undefined) return null;
  const before = slice(metric.history, startedAt - HOUR_MS, startedAt);
  if (before.times.length < MIN_BEFORE || Math.abs(most) < SHARE * Math.abs(away)) return null;
  const usual = median(before.values);
  const spread = Math.max(spreadAround(before.values, usual), floorOf(metric.metric, usual));
  const z = most / spread;
  if (Math.abs(z) < SPREADS) return null;
  // Measured from the level just before the jump, not from the median of the hour.
  const level = mean(slice(series, startedAt - BESIDE_MS, startedAt).values);
  return {
    baseline: { ...summaryOf(before, startedAt - HOUR_MS, startedAt), median: level },
    observed: summaryOf(slice(series, startedAt, to), startedAt, to),
    delta: most,
    spread,
    z,
    score: scoreOfDistance(z, HALF),
    startedAt,
    shape: 'step',
    usualAtThisTime: false,
  };
}

/** The samples if they reach back to `from`, otherwise means of minutes. */
function sampled({ recent, history }: MetricFacts, from: number): Series {
  const first = recent.times[0];
  return first !== undefined && first <= from ? recent : history;
}

function changeAt(series: Series, time: number, to: number): number {
  const before = slice(series, time - BESIDE_MS, time).values;
  const after = slice(series, time, Math.min(time + BESIDE_MS, to)).values;
  return before.length === 0 || after.length === 0 ? 0 : mean(after) - mean(before);
}
