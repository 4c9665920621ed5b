import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAt } from './retry.ts';

const FAR = Number.MAX_SAFE_INTEGER;

test('the first retry comes within five seconds', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
      const at = retryAt(1, 0, FAR, null, random) ?? Number.NaN;
      expect(at).toBeGreaterThanOrEqual(2_000);
      expect(at).toBeLessThanOrEqual(4_000);
    }),
  );
});

test('each retry waits up to twice as long as the one before, at most ten minutes', () => {
  expect([2, 3, 4, 8, 9, 100].map((attempt) => retryAt(attempt, 0, FAR, null, 0.999_999))).toEqual([
    8_000, 16_000, 32_000, 512_000, 600_000, 600_000,
  ]);
});

test('a retry respects the Retry-After of the destination, up to an hour', () => {
  expect(retryAt(1, 0, FAR, 30_000, 0)).toBe(30_000);
  expect(retryAt(1, 0, FAR, 86_400_000, 0)).toBe(3_600_000);
  expect(retryAt(5, 0, FAR, 1_000, 0)).toBe(32_000);
});

test('a notification whose retry would be too late fails', () => {
  expect(retryAt(1, 0, 1_999, null, 0)).toBeNull();
  expect(retryAt(1, 0, 2_000, null, 0)).toBe(2_000);
});
