import { expect, test } from 'vitest';
import { summarise } from './percentile.ts';

test('nearest rank', () => {
  expect(summarise(Array.from({ length: 100 }, (_, index) => 100 - index))).toEqual({
    p50: 50,
    p99: 99,
    max: 100,
  });
  expect(summarise([3])).toEqual({ p50: 3, p99: 3, max: 3 });
  expect(summarise([])).toEqual({ p50: 0, p99: 0, max: 0 });
});
