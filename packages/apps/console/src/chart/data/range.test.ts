import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { absoluteTexts, isLive, pinched, rangeOf, shifted, timeOf, zoomed } from './range.ts';

const NOW = Date.parse('2026-11-26T03:12:40Z');

it.each([
  ['-1h', NOW - HOUR_MS],
  ['-90m', NOW - 90 * MINUTE_MS],
  ['-2w', NOW - 14 * DAY_MS],
  ['2026-11-26T03:00:00+01:00', Date.parse('2026-11-26T02:00:00Z')],
])('reads %s as a time', (text, at) => {
  expect(timeOf(text, NOW)).toBe(at);
});

it.each([
  ['nothing', {}, [-HOUR_MS, 0]],
  ['a start', { from: '-6h' }, [-6 * HOUR_MS, 0]],
  ['an end alone', { to: '-1d' }, [-DAY_MS - HOUR_MS, -DAY_MS]],
  ['both', { from: '-2d', to: '-1d' }, [-2 * DAY_MS, -DAY_MS]],
  ['an end before the start', { from: '-1h', to: '-2h' }, [-2 * HOUR_MS - 10_000, -2 * HOUR_MS]],
])('has a range for %s', (_name, texts, [from, to]) => {
  expect(rangeOf(texts, '-1h', NOW)).toEqual({ from: NOW + from!, to: NOW + to! });
});

it('goes on with the time only where the end is relative', () => {
  expect([isLive({}), isLive({ to: '-5m' }), isLive({ to: '2026-11-26T03:00:00Z' })]).toEqual([
    true,
    true,
    false,
  ]);
});

it('names the same range by absolute times', () => {
  const range = { from: NOW - HOUR_MS, to: NOW };
  expect(rangeOf(absoluteTexts(range), '-7d', NOW + DAY_MS)).toEqual(range);
});

it('zooms around a time, which keeps its place, and no closer than ten seconds', () => {
  expect(zoomed({ from: 0, to: 100_000 }, 0.5, 25_000)).toEqual({ from: 12_500, to: 62_500 });
  expect(zoomed({ from: 0, to: 20_000 }, 0.1)).toEqual({ from: 5_000, to: 15_000 });
});

it('shifts by a share of the length', () => {
  expect(shifted({ from: 100, to: 200 }, -0.5)).toEqual({ from: 50, to: 150 });
});

it('keeps under two fingers what was under them', () => {
  expect(pinched({ from: 0, to: 100_000 }, [0.25, 0.75], [0, 1])).toEqual({ from: 25_000, to: 75_000 });
  expect(pinched({ from: 0, to: 100_000 }, [0.25, 0.75], [0.5, 1])).toEqual({ from: -25_000, to: 75_000 });
});
