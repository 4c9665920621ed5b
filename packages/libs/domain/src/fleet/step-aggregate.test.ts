import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { AGGREGATES, type Aggregate, percentile, rankOf, StepAggregate } from './step-aggregate.ts';

function aggregated(aggregate: Aggregate, values: readonly number[]) {
  const steps = new StepAggregate(aggregate, 3);
  for (const value of values) steps.add(1, value);
  return steps.finish();
}

test.each<[Aggregate, number]>([
  ['avg', 20],
  ['min', 10],
  ['max', 30],
  ['sum', 60],
  ['count', 3],
  ['p5', 11],
  ['p50', 20],
  ['p95', 29],
  ['p99', 29.8],
])('%s of 30, 10 and 20 is %d', (aggregate, value) => {
  const { step, value: values } = aggregated(aggregate, [30, 10, 20]);
  expect(step).toEqual([1]);
  expect(values[0]).toBeCloseTo(value, 10);
});

describe('aggregates', () => {
  const values = fc.array(fc.double({ noNaN: true, min: -1e290, max: 1e290 }), {
    minLength: 1,
    maxLength: 30,
  });

  it('of a single value are that value, and the count is 1', () => {
    for (const aggregate of AGGREGATES)
      expect(aggregated(aggregate, [-7.25]).value).toEqual([aggregate === 'count' ? 1 : -7.25]);
  });

  it('of no values have no steps', () => {
    for (const aggregate of AGGREGATES) expect(aggregated(aggregate, [])).toEqual({ step: [], value: [] });
  });

  it('lie between min and max, and percentiles rise with their shares', () => {
    fc.assert(
      fc.property(values, (given) => {
        const at = (share: number) => percentile([...given], share);
        expect([at(0), at(1)]).toEqual([Math.min(...given), Math.max(...given)]);
        const [low, p50, p95, p99, high] = [at(0), at(0.5), at(0.95), at(0.99), at(1)];
        const slack = 1e-9 * Math.max(...given.map(Math.abs));
        expect(low - slack <= p50 && p50 <= p95 + slack && p95 <= p99 + slack && p99 <= high + slack).toBe(
          true,
        );
      }),
    );
  });

  it('of groups are ranked by the mean of their values', () => {
    expect(rankOf({ step: [0, 1], value: [1, 3] })).toBe(2);
    expect(rankOf({ step: [], value: [] })).toBe(Number.NEGATIVE_INFINITY);
  });
});
