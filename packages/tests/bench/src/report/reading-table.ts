import type { ReadingResult } from '../scenarios/reading.ts';
import { number, table } from './table.ts';

const MIB = 1_048_576;

export function readingTable({ filledSeconds, series, timings, exports }: ReadingResult): string {
  return table(
    ['figure', 'value'],
    [
      ['series written', `${number(series)} in ${number(filledSeconds, 0)} s`],
      ...timings.map(({ name, p50, max }): [string, string] => [
        name,
        `${number(p50, 1)} ms, at most ${number(max, 1)}`,
      ]),
      ...exports.map(({ name, seconds, bytes, lines, before, most }): [string, string] => [
        `alerts as ${name}`,
        `${number(lines)} lines, ${number(bytes / MIB, 1)} MiB in ${number(seconds, 1)} s; resident ${number(before / MIB, 0)} MiB before, ${number(most / MIB, 0)} at most`,
      ]),
    ],
  );
}
