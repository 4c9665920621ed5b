import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { timeOfWallClock, wallClock } from './wall-clock.ts';

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterAll(() => void vi.unstubAllEnvs());

const shown = (at: string) => new Date(wallClock(Date.parse(at), 'local')).toISOString().slice(0, 16);
const at = (wall: string) => new Date(timeOfWallClock(Date.parse(`${wall}Z`), 'local')).toISOString();

it.each([
  ['2026-11-26T02:12:00Z', '2026-11-26T03:12'],
  ['2026-07-01T02:12:00Z', '2026-07-01T04:12'],
  ['2026-10-25T00:30:00Z', '2026-10-25T02:30'],
  ['2026-10-25T01:30:00Z', '2026-10-25T02:30'],
])('shows %s as %s', (time, wall) => {
  expect(shown(time)).toBe(wall);
});

it.each([
  ['an ordinary time', '2026-11-26T03:12', '2026-11-26T02:12:00.000Z'],
  ['the first of two equal times', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['a time that clocks skip as the moment after the skip', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
  ['midnight of the day of a change', '2026-10-25T00:00', '2026-10-24T22:00:00.000Z'],
])('finds %s', (_name, wall, time) => {
  expect(at(wall)).toBe(time);
});

it('is the time itself in UTC', () => {
  expect([wallClock(5_000, 'utc'), timeOfWallClock(5_000, 'utc')]).toEqual([5_000, 5_000]);
});
