import { mebibytes } from './table.ts';

/** The processes with the highest peaks of memory, in bytes, as rows of a table. */
export function peakRows(peaks: ReadonlyMap<string, number>): [string, string][] {
  return [...peaks]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 12)
    .map(([name, bytes]) => [`peak RSS, ${name}`, `${mebibytes(bytes)} MiB`]);
}
