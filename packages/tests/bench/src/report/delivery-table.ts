import type { Percentiles } from '../measure/percentile.ts';
import type { Delivery } from '../scenarios/delivery.ts';
import { number, table } from './table.ts';

export function deliveryTable({ fromAccepted, fromSent, breaches, repeated, lost }: Delivery): string {
  return table(
    ['from a breach to its webhook', 'figure'],
    [
      ['breaches / told twice / not told within 10 s', `${number(breaches)} / ${repeated} / ${lost}`],
      ['from accepted to received p50 / p99 / max', spread(fromAccepted)],
      ['from sent to received p50 / p99 / max', spread(fromSent)],
    ],
  );
}

/** Whether every breach was told. */
export function isDelivered({ breaches, lost }: Delivery): boolean {
  return breaches > 0 && lost === 0;
}

function spread({ p50, p99, max }: Percentiles): string {
  return `${[p50, p99, max].map((value) => number(value)).join(' / ')} ms`;
}
