import type { ChartLine } from '../plot/picture.ts';
import { type ChartPoint, gapsOf } from './gaps.ts';

export type TableRow =
  | { kind: 'points'; t: number; points: (ChartPoint | undefined)[] }
  | { kind: 'gap'; from: number; to: number; name: string };

/** The points of all lines by time and the gaps of each, the newest first. */
export function tableRows(lines: readonly ChartLine[]): TableRow[] {
  const byTime = new Map<number, (ChartPoint | undefined)[]>();
  const rows: TableRow[] = [];
  for (const [index, { name, points, spacing }] of lines.entries()) {
    for (const point of points) {
      const row = byTime.get(point.t) ?? new Array<ChartPoint | undefined>(lines.length).fill(undefined);
      row[index] = point;
      byTime.set(point.t, row);
    }
    const of = lines.length === 1 ? '' : ` of ${name}`;
    rows.push(...gapsOf(points, spacing).map((gap) => ({ kind: 'gap' as const, ...gap, name: of })));
  }
  for (const [t, points] of byTime) rows.push({ kind: 'points', t, points });
  return rows.sort((a, b) => timeOf(b) - timeOf(a));
}

function timeOf(row: TableRow): number {
  return row.kind === 'gap' ? row.from : row.t;
}
