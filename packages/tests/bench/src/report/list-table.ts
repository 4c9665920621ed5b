import type { ListResult } from '../scenarios/lists.ts';
import { peakRows } from './peak-rows.ts';
import { number, table } from './table.ts';

export function listTable({ timings, investigatedSeconds, peaks }: ListResult): string {
  const rows = timings.map(({ path, p50, p99, total }): [string, string] => {
    const shown = path
      .replace(/(svc|rul)_[0-9a-f]+/g, '$1_…')
      .replace(/cursor=[^&]+/, 'cursor=…')
      .replace(/\d{4}-\d\d-(\d\dT[\d:.]+)Z/g, '$1');
    return [
      shown,
      `${number(p50, 1)} / ${number(p99, 1)} ms${total === null ? '' : `, total ${number(total)}`}`,
    ];
  });
  const waited: [string, string] = [
    'every host investigated, after the last was stored',
    `${number(investigatedSeconds, 0)} s`,
  ];
  return table(['figure', 'value'], [...rows, waited, ...peakRows(peaks)]);
}
