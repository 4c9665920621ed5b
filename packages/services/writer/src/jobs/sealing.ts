import type { Sql } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { Fence } from '@tidewatch/store/leases/lease';
import { SEAL_INTERVAL_MS, Sealer } from '@tidewatch/store/sample-log/sealer';
import type { WriterMeters } from '../writer-metrics.ts';

/** How soon after a failure the next group of buckets is sealed, ms. */
export const SEAL_RETRY_MS = 1_000;

export interface SealingOptions extends Pick<ServiceEnvironment, 'clock' | 'logger'> {
  sql: Sql;
  meters: WriterMeters;
  /** How often every sample of the log is sealed into chunks, ms. Default five minutes. */
  sealIntervalMs?: number | undefined;
}

/** Sealing of the log by a writer that holds the lease for it. */
export interface Sealing {
  /** Seals what is due next, and returns the time until the next round, ms. */
  round(fence: Fence): Promise<number>;
  /** Seals everything. */
  all(): Promise<void>;
}

export function createSealing(options: SealingOptions): Sealing {
  const { sql, clock, meters, logger, sealIntervalMs = SEAL_INTERVAL_MS } = options;
  const sealer = new Sealer({
    sql,
    clock,
    intervalMs: sealIntervalMs,
    measured(bytes, ageMs) {
      meters.unsealedBytes.set(bytes);
      meters.unsealedAge.set(ageMs / 1_000);
    },
    sealed({ samples, chunks, rewritten }) {
      meters.samplesSealed.inc(samples);
      meters.chunksWritten.inc(chunks);
      meters.chunksRewritten.inc(rewritten);
    },
    damaged({ error, ...place }) {
      meters.damagedRows.inc({ relation: 'seq' in place ? 'sample_log' : 'sample_chunks' });
      logger.error({ err: error, ...place }, 'a seal moved damaged samples to damaged_samples');
    },
  });
  return { round: (fence) => sealer.step(fence), all: () => sealer.sealAll() };
}
