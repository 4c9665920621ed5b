import { expect, it } from 'vitest';
import { histogramBars, histogramRange } from './histogram.ts';

const NOW = Date.parse('2026-11-26T03:30:00Z');
const HOUR_MS = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

it.each([
  ['the last day by hours', {}, '2026-11-25T03:00:00.000Z', HOUR_MS],
  ['a filter by hours', { from: '2026-11-26T01:10:00Z' }, '2026-11-26T01:00:00.000Z', HOUR_MS],
  ['a week by days', { from: '2026-11-19T03:30:00Z' }, '2026-11-19T00:00:00.000Z', 24 * HOUR_MS],
  ['no more days than fit', { from: '2026-01-01T00:00:00Z' }, '2026-10-10T00:00:00.000Z', 24 * HOUR_MS],
])('covers %s', (_name, filter, from, stepMs) => {
  const range = histogramRange(filter, NOW);
  expect([iso(range.from), range.stepMs, range.to]).toEqual([from, stepMs, NOW]);
});

it('has a bar for each step', () => {
  const range = histogramRange({ from: '2026-11-26T01:00:00Z' }, NOW);
  const bars = histogramBars(range, [{ t: '2026-11-26T02:00:00.000Z', alerts: 4 }]);
  expect(bars.map(({ alerts }) => alerts)).toEqual([0, 4, 0]);
});
