import type { Facts, MetricFacts } from '../facts.ts';
import { inSteps, valuesNear } from '../fleet/align-series.ts';
import { correlation } from '../statistics/correlation.ts';
import { slice } from '../statistics/slice.ts';
import { comparedStep } from '../window.ts';

/**
 * How many of the metrics move together with each in the window, itself included: the sum of the shares of variance that it
 * has in common with them. Trouble shows in several metrics of a host at once, a spike of one alone may be chance.
 * @returns one number for each metric, 1 or more
 */
export function movingTogether(
  metrics: readonly MetricFacts[],
  facts: Pick<Facts, 'from' | 'to' | 'intervalMs'>,
): Float64Array {
  const step = comparedStep(facts);
  const series = metrics.map(({ recent, history }) =>
    inSteps(recent.times.length > 0 ? recent : slice(history, facts.from, facts.to), step),
  );
  const counts = new Float64Array(series.length).fill(1);
  for (const [i, one] of series.entries())
    for (const [j, other] of series.slice(0, i).entries()) {
      const share = commonVariance(one.values, valuesNear(one.times, other, step / 2));
      counts[i] = (counts[i] as number) + share;
      counts[j] = (counts[j] as number) + share;
    }
  return counts;
}

/** The share of the variance that two series have in common, 0 to 1, adjusted for the number of values (Ezekiel 1930). */
function commonVariance(xs: Float64Array, ys: Float64Array): number {
  const r = correlation(xs, ys);
  return r === null ? 0 : Math.max(0, 1 - ((1 - r * r) * (xs.length - 1)) / (xs.length - 2));
}
