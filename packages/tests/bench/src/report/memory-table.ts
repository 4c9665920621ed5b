import type { MemoryReport, Spread } from '../measure/memory.ts';
import { mebibytes, table } from './table.ts';

const SHOWN = 10;

/** Resident memory by kind of process, MiB; then what all processes of a kind share, counted once. */
export function memoryTable(memory: MemoryReport): string {
  const rows = memory.processes
    .slice(0, SHOWN)
    .map(({ name, median, peak, peakAnon, peakShared }) => [
      name,
      ...[median, peak, peakAnon, peakShared].map(mebibytes),
    ]);
  const sum = (name: string, spread: Spread | null) => [
    `all of ${name}, shared pages once (Pss)`,
    ...(spread === null ? ['unreadable', ''] : [mebibytes(spread.median), mebibytes(spread.peak)]),
    '',
    '',
  ];
  return table(
    ['memory, MiB', 'median', 'peak', 'own (RssAnon), peak', 'shared (RssShmem), peak'],
    [...rows, sum('PostgreSQL', memory.postgres), sum('Node and npm', memory.node)],
  );
}
