import type { PreviewResult, PreviewTiming } from '../scenarios/preview.ts';
import { peakRows } from './peak-rows.ts';
import { mebibytes, number, table } from './table.ts';

export function previewTable(result: PreviewResult): string {
  const { hosts, days, filledSeconds, samples, minutes, hours, loudHours, timings, refusal } = result;
  return table(
    ['figure', 'value'],
    [
      ['hosts and days', `${number(hosts)} and ${number(days)}`],
      [
        'written',
        `${number(minutes)} minutes and ${number(samples)} samples in ${number(filledSeconds, 0)} s, ${mebibytes(result.diskBytes)} MiB`,
      ],
      [
        'hours that could breach',
        `${number(loudHours)} of ${number(hours)}, ${number((100 * loudHours) / hours, 2)} %`,
      ],
      ...timings.map(timingRow),
      ...refusalRows(refusal),
      ['peak RSS of Node before', `${mebibytes(result.idleNode)} MiB`],
      ...peakRows(result.peaks),
    ],
  );
}

function refusalRows(refusal: PreviewResult['refusal']): [string, string][] {
  if (refusal === null) return [];
  const { seconds, possibleDays, possible } = refusal;
  return [
    [
      'every hour could breach',
      `refused within ${number(seconds, 2)} s, ${number(possibleDays, 2)} days named`,
    ],
    timingRow({ ...possible, name: 'what was named' }),
  ];
}

function timingRow(timing: PreviewTiming): [string, string] {
  const list = (values: readonly number[]) => values.map((value) => number(value, 2)).join(' / ');
  return [
    timing.name,
    `${list(timing.seconds)} s; CPU-s of Node ${list(timing.node)}, of PostgreSQL ${list(timing.postgres)}; ${number(timing.alerts)} alerts; slowest other answer ${number(timing.slowestOther, 0)} ms`,
  ];
}
