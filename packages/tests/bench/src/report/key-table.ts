import type { KeysResult } from '../scenarios/keys.ts';
import { number, table } from './table.ts';

export function keyTable({ authenticationMicroseconds, rounds }: KeysResult): string {
  const rows = rounds.map(({ name, keys, organizations, rate, latency, cpu }): string[] => [
    `${name} (${number(keys)} of ${number(organizations)})`,
    ...[number(rate), number(latency.p50, 2), number(latency.p99, 2), number(cpu, 3)],
  ]);
  const heads = ['keys (of organizations)', 'requests/s', 'p50 ms', 'p99 ms', 'CPU-s per 1,000'];
  return `${table(heads, rows)}\n\nauthentication from cache: ${number(authenticationMicroseconds, 2)} µs`;
}
