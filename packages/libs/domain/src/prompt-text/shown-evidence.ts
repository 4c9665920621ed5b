import type { Evidence } from '@tidewatch/contracts/investigations/finding';
import { cleanText } from './clean-text.ts';
import { isMoment } from './moment.ts';

type Cell = number | string | null;
type Row = Readonly<Record<string, Cell>>;

const MAX_QUERY = 300;
const MAX_NAME = 64;
const MAX_CELL = 120;
const MAX_STATS = 40;
const MAX_COLUMNS = 12;

/** Evidence as it is shown to a model: with cleaned texts and at most `points` points. */
export function shownEvidence(evidence: Evidence, points: number) {
  return {
    id: evidence.id,
    query: cleanText(evidence.query, MAX_QUERY),
    from: evidence.from,
    to: evidence.to,
    stats: shownRow(evidence.stats, MAX_STATS),
    points: thinned(evidence.points, points).map((row) => shownRow(row, MAX_COLUMNS)),
    points_left_out: Math.max(0, evidence.points.length - points),
  };
}

function shownRow(row: Row, columns: number): Row {
  return Object.fromEntries(
    // Sorted by key, because the store does not keep their order and equal evidence must give equal text.
    Object.entries(row)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .slice(0, columns)
      .map(([name, cell]) => [cleanText(name, MAX_NAME), shownCell(cell)]),
  );
}

function shownCell(cell: Cell): Cell {
  if (typeof cell === 'string') return isMoment(cell) ? cell : cleanText(cell, MAX_CELL);
  return cell === null ? null : shownNumber(cell);
}

/** Rounds to six significant digits, since further digits only cost tokens. */
export function shownNumber(value: number): number {
  return Number(value.toPrecision(6));
}

/** Reduces rows to at most `count`, evenly spaced, including the first and the last. */
export function thinned<T>(rows: readonly T[], count: number): readonly T[] {
  if (rows.length <= count) return rows;
  if (count < 2) return rows.slice(0, count);
  const step = (rows.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => rows[Math.round(index * step)] as T);
}
