import type { MetricFacts } from '../facts.ts';
import { worseOf } from '../metric-class.ts';
import type { Outlook, Shift } from '../outlook.ts';
import { median, quantile, scoreOfDistance, sorted, spreadAround } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { floorOf } from './floor.ts';
import { MIN_PAST_VALUES } from './past.ts';

/** The min number of values since an old step. */
const MIN_SINCE = 10;
/** The share of values on either side of a step that may lie on the other side of it. */
const TAIL = 0.1;
/** The size of a step, in usual spreads, at which it is as probably real as random. */
const HALF = 6;

/**
 * Finds a step for the worse that lasts until the end and is so old that its own values count as usual: the split of all known
 * values with the smallest squared distances from the means of both sides (Page 1954). Null unless nine tenths of either side lie apart.
 */
export function oldStepOf({ metric, history }: MetricFacts, { to, doubtFrom }: Outlook): Shift | null {
  const known = slice(history, Number.NEGATIVE_INFINITY, to);
  const at = splitOf(known.values);
  const [first, startedAt] = [known.times[0], known.times[at ?? Number.NaN]];
  if (at === null || first === undefined || startedAt === undefined || startedAt >= doubtFrom) return null;
  const before = slice(known, first, startedAt);
  const since = slice(known, startedAt, to);
  const usual = median(before.values);
  const delta = median(since.values) - usual;
  if (delta * (worseOf(metric) || Math.sign(delta)) <= 0) return null;
  if (!liesApart(before.values, since.values, delta)) return null;
  const spread = Math.max(spreadAround(before.values, usual), floorOf(metric, usual));
  const z = delta / spread;
  return {
    baseline: summaryOf(before, first, startedAt),
    observed: summaryOf(since, startedAt, to),
    delta,
    spread,
    z,
    score: scoreOfDistance(z, HALF),
    startedAt,
    shape: 'step',
    usualAtThisTime: false,
  };
}

/** The index of the first value behind the best split; null with too few values on either side of it. */
function splitOf(values: Float64Array): number | null {
  const n = values.length;
  let right = 0;
  for (const value of values) right += value;
  let left = 0;
  let best: number | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 1; at <= n - MIN_SINCE; at++) {
    left += values[at - 1] as number;
    right -= values[at - 1] as number;
    const between = (left * left) / at + (right * right) / (n - at);
    if (between > most) {
      most = between;
      best = at;
    }
  }
  return best !== null && best >= MIN_PAST_VALUES ? best : null;
}

function liesApart(before: Float64Array, since: Float64Array, delta: number): boolean {
  const [usual, later] = [sorted(before), sorted(since)];
  return delta > 0
    ? quantile(later, TAIL) > quantile(usual, 1 - TAIL)
    : quantile(later, 1 - TAIL) < quantile(usual, TAIL);
}
