import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

const BOUNDS = { minMs: 100, maxMs: 1_000 };

it.each([
  [0, 50, 100],
  [1, 100, 200],
  [3, 400, 800],
  [4, 500, 1_000],
  [2_000, 500, 1_000],
])('after %i earlier failures the pause lies between %i and %i ms', (earlier, min, max) => {
  expect(backoffMs(earlier, BOUNDS, 0)).toBe(min);
  expect(backoffMs(earlier, BOUNDS, 1)).toBe(max);
});
