import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { timeTicks } from './time-ticks.ts';

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterAll(() => void vi.unstubAllEnvs());

const labels = (from: string, lengthMs: number, max: number, zone: 'local' | 'utc' = 'local') =>
  timeTicks({ from: Date.parse(from), to: Date.parse(from) + lengthMs }, max, zone).map(({ label }) => label);

it.each([
  ['an hour', '2026-11-26T03:02:00+01:00', HOUR_MS, 5, ['03:15', '03:30', '03:45', '04:00']],
  [
    'ten minutes',
    '2026-11-26T03:02:00+01:00',
    10 * MINUTE_MS,
    6,
    ['03:02', '03:04', '03:06', '03:08', '03:10', '03:12'],
  ],
  ['twenty seconds', '2026-11-26T03:02:05+01:00', 20_000, 3, ['03:02:10', '03:02:20']],
  ['midnight', '2026-11-25T22:00:00+01:00', 4 * HOUR_MS, 5, ['22:00', '23:00', 'Thu 26', '01:00', '02:00']],
  [
    'two days',
    '2026-11-25T00:00:00+01:00',
    2 * DAY_MS,
    4,
    ['Wed 25', '12:00', 'Thu 26', 'Thu 12:00', 'Fri 27'],
  ],
  [
    'a week',
    '2026-11-23T12:00:00+01:00',
    7 * DAY_MS,
    7,
    ['Tue 24', 'Wed 25', 'Thu 26', 'Fri 27', 'Sat 28', 'Sun 29', 'Mon 30'],
  ],
  [
    'a month by Mondays',
    '2026-11-01T00:00:00+01:00',
    30 * DAY_MS,
    5,
    ['2 Nov', '9 Nov', '16 Nov', '23 Nov', '30 Nov'],
  ],
  ['a year', '2026-01-15T00:00:00+01:00', 365 * DAY_MS, 5, ['Apr 2026', 'Jul 2026', 'Oct 2026', 'Jan 2027']],
])('labels %s', (_name, from, length, max, expected) => {
  expect(labels(from, length, max)).toEqual(expected);
});

describe('on days of clock changes', () => {
  const SPRING = '2026-03-29T00:00:00+01:00';
  const AUTUMN = '2026-10-25T00:00:00+02:00';

  it('has 23 hours in spring, of which the skipped one has no tick', () => {
    const all = labels(SPRING, 23 * HOUR_MS, 30);
    expect(all).toHaveLength(24);
    expect(all.slice(0, 4)).toEqual(['Sun 29', '01:00', '03:00', '04:00']);
    expect(all.at(-1)).toBe('Mon 30');
  });

  it('has 25 hours in autumn, of which the second 02:00 has the name of its zone', () => {
    const all = labels(AUTUMN, 25 * HOUR_MS, 30);
    expect(all).toHaveLength(26);
    expect(all.slice(0, 5)).toEqual(['Sun 25', '01:00', '02:00', '02:00 CET', '03:00']);
    expect(all.at(-1)).toBe('Mon 26');
  });

  it.each([
    [SPRING, 23],
    [AUTUMN, 25],
  ])('has no label twice, however many ticks there are (%s)', (from, hours) => {
    for (const max of [3, 5, 8, 13, 20, 26, 55, 120]) {
      const all = labels(from, hours * HOUR_MS, max);
      expect(new Set(all).size).toBe(all.length);
      expect(all.length).toBeGreaterThan(1);
    }
  });

  it('keeps ticks of a week at midnight of the local clock', () => {
    const week = timeTicks(
      { from: Date.parse('2026-10-22T00:00:00+02:00'), to: Date.parse('2026-10-29T00:00:00+01:00') },
      8,
      'local',
    );
    const hours = week.map(({ at }) => new Date(at).toISOString().slice(11, 13));
    expect(hours).toEqual(['22', '22', '22', '22', '23', '23', '23', '23']);
  });

  it('does not notice them in UTC', () => {
    expect(labels('2026-10-25T00:00:00Z', DAY_MS, 8, 'utc')).toEqual([
      'Sun 25',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      'Mon 26',
    ]);
  });
});
