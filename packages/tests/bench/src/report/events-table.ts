import type { EventsResult } from '../scenarios/events.ts';
import { number, table } from './table.ts';

export function eventsTable({ load, sent, fewest, most, outOfOrder, ...result }: EventsResult): string {
  const { p50, p99, max } = result.latency;
  const rows: [string, string][] = [
    [
      'readers, events a second, seconds',
      [load.readers, load.rate, load.seconds].map((n) => number(n)).join(', '),
    ],
    ['events told', number(sent)],
    ['fewest and most that a reader got', `${number(fewest)}, ${number(most)}`],
    ['out of order', number(outOfOrder)],
    ['from stored to read: p50, p99, longest', `${number(p50)}, ${number(p99)}, ${number(max)} ms`],
    ['times that a reader got some, by median', number(result.pieces)],
    ...result.processors.map(({ name, share }): [string, string] => [
      `processors: ${name}`,
      number(share, 2),
    ]),
  ];
  return table(['event streams', 'figure'], rows);
}

/** Whether every reader got every event once and in order. */
export function isEventsValid({ sent, fewest, most, outOfOrder }: EventsResult): boolean {
  return sent > 0 && fewest === sent && most === sent && outOfOrder === 0;
}
