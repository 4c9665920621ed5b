import { expect, test } from 'vitest';
import { interval, meanPlace, placeOf } from './place.ts';

const scores = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 2],
  ['d', 1],
]);

test('placeOf counts ties as broken at random', () => {
  expect(placeOf(scores, 'a', 4)).toEqual({ top1: 1, top3: 1, reciprocal: 1 });
  expect(placeOf(scores, 'b', 4)).toEqual({ top1: 0, top3: 1, reciprocal: (1 / 2 + 1 / 3) / 2 });
  const flat = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((host) => [host, 0]));
  expect(placeOf(flat, 'e', 6)).toMatchObject({ top1: 1 / 6, top3: 1 / 2 });
});

test('placeOf ranks a host without a score behind all others', () => {
  expect(placeOf(scores, 'z', 6)).toEqual({ top1: 0, top3: 0, reciprocal: (1 / 5 + 1 / 6) / 2 });
});

test('the mean and the interval of cases are computed', () => {
  const places = ['a', 'd'].map((host) => placeOf(scores, host, 4));
  expect(meanPlace(places)).toEqual({ top1: 0.5, top3: 0.5, reciprocal: (1 + 1 / 4) / 2 });
  let at = 0;
  const [low, high] = interval([1, 1, 1, 0], () => (at++ * 0.618) % 1);
  expect(low).toBeLessThan(0.75);
  expect(high).toBeGreaterThanOrEqual(0.75);
});
