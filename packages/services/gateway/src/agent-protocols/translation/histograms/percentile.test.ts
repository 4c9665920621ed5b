import { expect, it } from 'vitest';
import { percentileOf } from './percentile.ts';

it.each<[string, number, number[], number[], number | undefined]>([
  ['lies within its bucket, as if values were spread evenly', 0.5, [10, 20], [0, 10, 0], 15],
  ['begins at 0 in the first bucket', 0.5, [10, 20], [10, 0, 0], 5],
  ['begins at a bound that is negative', 0.5, [-10, 0], [10, 0, 0], -10],
  ['is the last bound beyond it', 0.99, [10, 20], [0, 0, 5], 20],
  ['does not exist where nothing was counted', 0.5, [10], [0, 0], undefined],
])('the percentile of a histogram %s', (_, quantile, bounds, counts, expected) => {
  expect(percentileOf(quantile, bounds, counts)).toBe(expected);
});
