import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { HostSnapshot } from '@tidewatch/domain/snapshots/host-snapshot';

/**
 * What the agent recorded in five minutes of a machine that ran PostgreSQL, Redis, Kafka and many short processes: `busiest` as it
 * sends them, and `all` processes.
 */
export function readRecorded(list: 'busiest' | 'all'): HostSnapshot[] {
  const file = new URL('./fixtures/recorded-processes.json.gz', import.meta.url);
  const recorded = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Record<string, HostSnapshot[]>;
  return (recorded[list] ?? []).map(({ time, processes }) => ({ time, processes, containers: null }));
}
