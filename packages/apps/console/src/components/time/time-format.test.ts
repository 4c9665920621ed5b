import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { formatAge, formatTime, zoneName } from './time-format.ts';

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterAll(() => void vi.unstubAllEnvs());

const AT = Date.parse('2026-11-26T02:12:40Z');

it('shows a time in its zone, with the name of the zone', () => {
  expect(formatTime(AT, 'local')).toBe('2026-11-26 03:12:40 CET');
  expect(formatTime(AT, 'utc')).toBe('2026-11-26 02:12:40 UTC');
});

it('names the time zone in force at that time, on both sides of the hour that comes twice', () => {
  const before = Date.parse('2026-10-25T00:30:00Z');
  expect([formatTime(before, 'local'), formatTime(before + 3_600_000, 'local')]).toEqual([
    '2026-10-25 02:30:00 CEST',
    '2026-10-25 02:30:00 CET',
  ]);
  expect(zoneName(before, 'utc')).toBe('UTC');
});

it('shows midnight as 00', () => {
  expect(formatTime(Date.parse('2026-11-25T23:00:00Z'), 'local')).toBe('2026-11-26 00:00:00 CET');
});

it.each([
  [0, 'now'],
  [999, 'now'],
  [-2_000, 'now'],
  [1_000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [240_000, '4 min'],
  [3 * 3_600_000 + 1, '3 h'],
  [49 * 3_600_000, '2 d'],
  [-120_000, 'in 2 min'],
  [Number.NaN, '–'],
])('shows an age of %i ms as %s', (age, shown) => {
  expect(formatAge(AT - age, AT)).toBe(shown);
});
