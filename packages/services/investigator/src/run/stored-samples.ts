import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@tidewatch/store/database/connection';
import { readStoredUntil } from '@tidewatch/store/investigations/stored-until';

export interface AwaitedSamples {
  organizationId: string;
  serviceId: string;
  /** The sample that an alert fired by, ms; null where there is none to wait for. */
  awaited: number | null;
  signal: AbortSignal;
  clock: () => number;
}

const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 200;
const LOOK_BACK_MS = 3_600_000;

/**
 * The time of the newest sample that is stored, ms. On Kafka the writer may be behind the evaluator: then it is waited for the
 * awaited sample, for a few seconds.
 */
export async function waitForSamples(sql: Sql, wanted: AwaitedSamples): Promise<number | null> {
  const { organizationId, serviceId, awaited, signal, clock } = wanted;
  const began = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const now = clock();
    const since = Math.min(now, awaited ?? now) - LOOK_BACK_MS;
    const newest = await readStoredUntil(sql, organizationId, serviceId, since, now);
    if (awaited === null || (newest ?? Number.NEGATIVE_INFINITY) >= awaited) return newest;
    if (performance.now() - began > PATIENCE_MS) return newest;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
