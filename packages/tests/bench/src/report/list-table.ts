import type { ListTiming } from '../scenarios/lists.ts';
import { peakRows } from './peak-rows.ts';
import { number, table } from './table.ts';

export function listTable(timings: readonly ListTiming[], peaks: ReadonlyMap<string, number>): string {
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
  return table(['figure', 'value'], [...rows, ...peakRows(peaks)]);
}
