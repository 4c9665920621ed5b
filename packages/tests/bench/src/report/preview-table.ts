import type { PreviewResult } from '../scenarios/preview.ts';
import { number, table } from './table.ts';

export function previewTable(result: PreviewResult): string {
  const { hosts, days, filledSeconds, minutes, hours, loudHours, timings } = result;
  const list = (values: readonly number[]) => values.map((value) => number(value, 2)).join(' / ');
  return table(
    ['figure', 'value'],
    [
      ['hosts and days', `${number(hosts)} and ${number(days)}`],
      ['minutes written', `${number(minutes)} in ${number(filledSeconds, 0)} s`],
      [
        'hours that could breach',
        `${number(loudHours)} of ${number(hours)}, ${number((100 * loudHours) / hours, 2)} %`,
      ],
      ...timings.map((timing): [string, string] => [
        timing.name,
        `${list(timing.seconds)} s; CPU-s of Node ${list(timing.node)}, of PostgreSQL ${list(timing.postgres)}; ${number(timing.alerts)} alerts; slowest other answer ${number(timing.slowestOther, 0)} ms`,
      ]),
    ],
  );
}
