import { expect, it } from 'vitest';
import type { ChartLine } from '../plot/picture.ts';
import { tableRows } from './table-rows.ts';

const line = (name: string, ...times: number[]): ChartLine => ({
  name,
  points: times.map((t) => ({ t, avg: t, min: t, max: t })),
  spacing: { stepMs: 10, intervalMs: 10 },
  shape: 'line',
});

const shown = (...lines: ChartLine[]) =>
  tableRows(lines).map((row) =>
    row.kind === 'gap'
      ? `gap${row.name} ${row.from} to ${row.to}`
      : `${row.t}: ${row.points.map((point) => point?.avg ?? '–')}`,
  );

it('lists points and gaps, the newest first', () => {
  expect(shown(line('a', 0, 10, 100))).toEqual(['100: 100', 'gap 20 to 100', '10: 10', '0: 0']);
});

it('lists the points of several lines by time, and names the line of a gap', () => {
  expect(shown(line('a', 0, 10), line('b', 10, 100))).toEqual([
    '100: –,100',
    'gap of b 20 to 100',
    '10: 10,10',
    '0: 0,–',
  ]);
});
