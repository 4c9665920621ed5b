import { expect, test } from 'vitest';
import { sustainedRate } from './rate.ts';

test('the lowest rate is searched in periods that begin at any second', () => {
  const counts = [10, 10, 2, 2, 10, 10, 1];
  expect(sustainedRate(counts, 2)).toEqual({ mean: 44 / 6, least: 2, seconds: 2 });
});

test('the last second of a run, which is incomplete, does not count', () => {
  expect(sustainedRate([5, 5, 1], 1)).toEqual({ mean: 5, least: 5, seconds: 1 });
});

test('the lowest rate of a run that is shorter than the period is its mean', () => {
  expect(sustainedRate([4, 6, 0], 10)).toEqual({ mean: 5, least: 5, seconds: 10 });
  expect(sustainedRate([7], 10)).toEqual({ mean: 7, least: 7, seconds: 10 });
  expect(sustainedRate([], 10)).toEqual({ mean: 0, least: 0, seconds: 10 });
});
