import { expect, it } from 'vitest';
import type { ChartLine } from '../plot/picture.ts';
import { csvOf } from './csv.ts';

const line = (name: string, ...points: [number, number][]): ChartLine => ({
  name,
  points: points.map(([t, avg]) => ({ t, avg, min: avg, max: avg })),
  spacing: { stepMs: 1_000, intervalMs: null },
  shape: 'line',
});

it('writes a row for each time, with empty cells where a line has none', () => {
  expect(csvOf([line('a', [0, 1.5], [2_000, 3]), line('b', [1_000, 2], [2_000, 4])])).toBe(
    [
      't,a,b',
      '1970-01-01T00:00:00.000Z,1.5,',
      '1970-01-01T00:00:01.000Z,,2',
      '1970-01-01T00:00:02.000Z,3,4',
      '',
    ].join('\r\n'),
  );
});

it.each([
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['=1+1', "'=1+1"],
  ['-x', "'-x"],
  ['two\nlines', '"two\nlines"'],
])('writes the name %j as %s', (name, cell) => {
  expect(csvOf([line(name)])).toBe(`t,${cell}\r\n`);
});
