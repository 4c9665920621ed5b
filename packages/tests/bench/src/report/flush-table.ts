import type { FlushResult, FlushRound } from '../scenarios/flush.ts';
import { number, table } from './table.ts';

const HEADS = [
  'payloads a request',
  'acknowledged',
  'requests/s',
  'samples/s',
  'records/s',
  'sends/s',
  'p50 ms',
  'p99 ms',
  'CPU-s per million',
  'broker',
  'publisher',
];

/** Each round in its order. */
export function flushTable({ rounds, partitions, connections }: Omit<FlushResult, 'machine'>): string {
  const heading = `one broker, ${partitions} partitions, ${connections} connections, one publisher`;
  return `${heading}\n\n${table(HEADS, rounds.map(rowOf))}`;
}

function rowOf(round: FlushRound): string[] {
  const { payloads, acknowledged, seconds, latency, brokerCpu, publisherCpu } = round;
  const millions = round.samples / 1e6;
  return [
    ...[String(payloads), acknowledged],
    ...[round.publications, round.samples, round.records, round.sends].map((count) =>
      number(count / seconds),
    ),
    ...[number(latency.p50, 1), number(latency.p99, 1)],
    ...[brokerCpu + publisherCpu, brokerCpu, publisherCpu].map((cpu) => number(cpu / millions, 2)),
  ];
}
