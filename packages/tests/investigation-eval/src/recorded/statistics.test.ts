import { expect, test } from 'vitest';
import { correlationOf, deviationOf, medianOf, quantileOf, wilson } from './statistics.ts';

test('quantiles are interpolated between the two nearest values', () => {
  expect(quantileOf([4, 1, 3, 2], 0.25)).toBe(1.75);
  expect(medianOf([3, 1, 2])).toBe(2);
  expect(quantileOf([5], 0.9)).toBe(5);
});

test('the deviation and the correlation of constant values are zero', () => {
  expect(deviationOf([2, 2, 2])).toBe(0);
  expect(
    correlationOf([
      [1, 2],
      [2, 2],
      [3, 2],
    ]),
  ).toBe(0);
});

test("Wilson's interval of 8 in 10 is the published one and stays within 0 and 1", () => {
  const [low, high] = wilson(0.8, 10);
  expect(low).toBeCloseTo(0.4902, 4);
  expect(high).toBeCloseTo(0.9433, 4);
  expect(wilson(0, 20)[0]).toBe(0);
  expect(wilson(1, 20)[1]).toBe(1);
});
