import { expect, it } from 'vitest';
import { formatAge, formatDuration } from './age.ts';

it.each([
  [0, '0s'],
  [-5_000, '0s'],
  [59_400, '59s'],
  [60_000, '1m'],
  [3_725_000, '1h 2m'],
  [86_400_000, '1d'],
  [86_400_000 + 60_000, '1d'],
  [90_061_000, '1d 1h'],
])('formatDuration prints %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('formatAge prints how long ago a time was', () => {
  const now = Date.parse('2026-11-22T08:00:05Z');
  expect(formatAge('2026-11-22T08:00:00.000Z', now)).toBe('5s');
  expect(formatAge(null, now)).toBe('-');
});
