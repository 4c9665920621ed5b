import { expect, it } from 'vitest';
import type { ChartLine } from '../plot/picture.ts';
import { limitLines } from './limit-lines.ts';

const line = (name: string, ...values: (number | null)[]): ChartLine => ({
  name,
  points: values.flatMap((avg, t) => (avg === null ? [] : [{ t, avg, min: avg, max: avg }])),
  spacing: { stepMs: 1, intervalMs: null },
  shape: 'line',
});

it('keeps up to six lines in their order', () => {
  const lines = [1, 5, 3, 2, 6, 4].map((value) => line(`host ${value}`, value));
  expect(limitLines(lines)).toEqual(lines);
});

it('keeps the five highest of more, and the median of the others at each time', () => {
  const lines = [
    ...[10, 20, 30, 40, 50].map((value) => line(`high ${value}`, value, value)),
    line('a', 1, 2),
    line('b', 3, null),
    line('c', 8, 4),
    line('none'),
  ];
  const limited = limitLines(lines);
  expect(limited.map(({ name }) => name)).toEqual([
    ...[50, 40, 30, 20, 10].map((value) => `high ${value}`),
    'median of 4 others',
  ]);
  expect(limited.at(-1)?.points.map(({ t, avg }) => [t, avg])).toEqual([
    [0, 3],
    [1, 3],
  ]);
});
