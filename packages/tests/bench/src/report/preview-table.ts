import type { PreviewResult } from '../scenarios/preview.ts';
import { number, table } from './table.ts';

export function previewTable({ filledSeconds, minutes, loudHours, timings }: PreviewResult): string {
  const list = (values: readonly number[]) => values.map((value) => number(value, 2)).join(' / ');
  return table(
    ['figure', 'value'],
    [
      [
        'minutes written',
        `${number(minutes)} in ${number(filledSeconds, 0)} s, of ${number(loudHours)} loud hours`,
      ],
      ...timings.map(({ name, seconds, cpu, alerts, slowestOther }): [string, string] => [
        name,
        `${list(seconds)} s; ${list(cpu)} CPU-s; ${number(alerts)} alerts; slowest other answer ${number(slowestOther, 0)} ms`,
      ]),
    ],
  );
}
