import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { Fence } from '@tidewatch/store/leases/lease';
import { readEndedSeq } from '@tidewatch/store/sample-log/seal-lock';
import { sealLog } from '@tidewatch/store/snapshots/packed/seal-log';
import type { WriterMeters } from '../writer-metrics.ts';

/** How often the log is sealed, ms. */
const INTERVAL_MS = 5 * MINUTE_MS;

export interface SnapshotSealingOptions extends Pick<ServiceEnvironment, 'logger'> {
  sql: Sql;
  meters: WriterMeters;
}

/** Returns a round that seals the snapshots of the log, and returns the time until the next round, ms. */
export function createSnapshotSealing({ sql, meters, logger }: SnapshotSealingOptions) {
  return async (fence: Fence): Promise<number> => {
    const damaged = await sealLog(sql, { bound: readEndedSeq, fence });
    for (const { bucket, seq, error } of damaged) {
      meters.damagedRows.inc({ relation: 'snapshot_log' });
      logger.error({ err: error, bucket, seq }, 'a seal moved damaged snapshots to damaged_samples');
    }
    return INTERVAL_MS;
  };
}
