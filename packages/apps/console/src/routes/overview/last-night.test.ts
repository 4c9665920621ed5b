import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hourlyCounts, lastNight } from './last-night.ts';

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterAll(() => void vi.unstubAllEnvs());

it.each([
  ['in the morning', '2026-11-26T07:45:00Z', 'local', '2026-11-25T17:00:00.000Z', '2026-11-26T07:30:00.000Z'],
  [
    'during the night',
    '2026-11-26T02:00:00Z',
    'local',
    '2026-11-25T17:00:00.000Z',
    '2026-11-26T02:00:00.000Z',
  ],
  ['in the evening', '2026-11-26T18:00:00Z', 'local', '2026-11-26T17:00:00.000Z', '2026-11-26T18:00:00.000Z'],
  ['by UTC', '2026-11-26T12:00:00Z', 'utc', '2026-11-25T18:00:00.000Z', '2026-11-26T08:30:00.000Z'],
  [
    'after the clocks changed',
    '2026-10-25T09:00:00Z',
    'local',
    '2026-10-24T16:00:00.000Z',
    '2026-10-25T07:30:00.000Z',
  ],
] as const)('finds the last night %s', (_name, now, zone, from, to) => {
  const night = lastNight(Date.parse(now), zone);
  expect([new Date(night.from).toISOString(), new Date(night.to).toISOString()]).toEqual([from, to]);
});

it('calls a night that has begun since 18:00 tonight, and the one before last night', () => {
  expect(lastNight(Date.parse('2026-11-26T18:00:00Z'), 'utc').name).toBe('Tonight');
  expect(lastNight(Date.parse('2026-11-26T17:59:00Z'), 'utc').name).toBe('Last night');
});

it('counts by hour, with zeros', () => {
  const night = { from: Date.parse('2026-11-25T18:00:00Z'), to: Date.parse('2026-11-25T21:30:00Z') };
  const points = [
    { t: '2026-11-25T19:00:00.000Z', alerts: 2 },
    { t: '2026-11-25T21:00:00.000Z', alerts: 1 },
    { t: '2026-11-25T23:00:00.000Z', alerts: 7 },
  ];
  expect(hourlyCounts(night, points)).toEqual([
    { at: Date.parse('2026-11-25T18:00:00Z'), alerts: 0 },
    { at: Date.parse('2026-11-25T19:00:00Z'), alerts: 2 },
    { at: Date.parse('2026-11-25T20:00:00Z'), alerts: 0 },
    { at: Date.parse('2026-11-25T21:00:00Z'), alerts: 1 },
  ]);
});
