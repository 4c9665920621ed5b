import { expect, it } from 'vitest';
import { breachedSpans, mergePoints, nearestIndex } from './points.ts';

const at = (...times: number[]) => times.map((t) => ({ t, avg: t, min: t, max: t }));

it.each([
  ['appends', at(1, 2), at(3), 0, [1, 2, 3]],
  ['replaces what was read again', at(1, 2, 3), at(3, 4), 0, [1, 2, 3, 4]],
  ['drops what has left the range', at(1, 2, 3), at(4), 3, [3, 4]],
  ['keeps the line where nothing is new', at(1, 2), [], 2, [2]],
] as const)('%s', (_name, former, newer, from, times) => {
  expect(mergePoints(former, newer, from).map(({ t }) => t)).toEqual(times);
});

it.each([
  [at(), 5, -1],
  [at(10), 500, 0],
  [at(10, 20, 40), 14, 0],
  [at(10, 20, 40), 16, 1],
  [at(10, 20, 40), 31, 2],
  [at(10, 20, 40), 0, 0],
])('finds the nearest point of %j to %i', (points, time, index) => {
  expect(nearestIndex(points, time)).toBe(index);
});

const above = (threshold: number, mark: string) => ({
  limits: { condition: 'greater_than' as const, threshold, threshold_max: null, recovery_threshold: null },
  mark,
});

it('marks what breaches with the worst severity, also by its max alone', () => {
  const values: [number, number][] = [
    [10, 10],
    [91, 92],
    [50, 93],
    [98, 99],
    [10, 10],
    [95, 95],
  ];
  const points = values.map(([avg, max], index) => ({ t: index * 10, avg, min: avg, max }));
  expect(breachedSpans(points, [above(97, 'critical'), above(90, 'warning')], 10)).toEqual([
    { span: { from: 10, to: 30 }, mark: 'warning' },
    { span: { from: 30, to: 40 }, mark: 'critical' },
    { span: { from: 50, to: 60 }, mark: 'warning' },
  ]);
});
