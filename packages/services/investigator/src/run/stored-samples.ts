import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { readStoredUntil } from '@tidewatch/store/investigations/stored-until';

export interface AwaitedSamples {
  organizationId: string;
  serviceId: string;
  /** The time of the sample by which an alert fired, ms; null if there is no sample to wait for. */
  awaited: number | null;
  signal: AbortSignal;
  clock: () => number;
}

const MAX_WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 200;
const LOOKBACK_MS = HOUR_MS;

/**
 * Reads the time of the newest stored sample, ms. Waits up to MAX_WAIT_MS for the awaited sample, since on Kafka the writer
 * may lag behind the evaluator.
 */
export async function waitForSamples(sql: Sql, wanted: AwaitedSamples): Promise<number | null> {
  const { organizationId, serviceId, awaited, signal, clock } = wanted;
  const began = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const now = clock();
    const since = Math.min(now, awaited ?? now) - LOOKBACK_MS;
    const newest = await readStoredUntil(sql, organizationId, serviceId, since, now);
    if (awaited === null || (newest ?? Number.NEGATIVE_INFINITY) >= awaited) return newest;
    if (performance.now() - began > MAX_WAIT_MS) return newest;
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}
