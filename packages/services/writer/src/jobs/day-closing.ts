import type { Sql } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { Fence } from '@tidewatch/store/leases/lease';
import { closeBatch } from '@tidewatch/store/sample-days/close-day';
import { DueDays } from '@tidewatch/store/sample-days/due-days';
import { readEndedDays } from '@tidewatch/store/sample-days/ended-days';
import { SEAL_INTERVAL_MS } from '@tidewatch/store/sample-log/sealer';
import type { WriterMeters } from '../writer-metrics.ts';

/** How often to look for days to close, ms. */
const INTERVAL_MS = 60_000;
const MIN_PAUSE_MS = 20;
/** For so many rounds of seals nothing was written to a day that is closed. */
const QUIET_SEALS = 3;

export interface DayClosingOptions extends Pick<ServiceEnvironment, 'clock' | 'logger'> {
  sql: Sql;
  meters: WriterMeters;
  /** How often every sample of the log is sealed into chunks, ms. Default five minutes. */
  sealIntervalMs?: number | undefined;
}

/**
 * Returns a round that closes the next blocks of the oldest day that is due, which has ended two hours ago or more, and returns the time
 * until the next round, ms: as long as the round took, so that half of the time is left to other work.
 */
export function createDayClosing(options: DayClosingOptions) {
  const { sql, clock, meters, logger, sealIntervalMs = SEAL_INTERVAL_MS } = options;
  const due = new DueDays(QUIET_SEALS * sealIntervalMs);
  return async (fence: Fence): Promise<number> => {
    const now = clock();
    const days = due.of(await readEndedDays(sql, now), now);
    meters.daysToClose.set(days.length);
    const [day] = days;
    if (day === undefined) return INTERVAL_MS;
    const began = performance.now();
    const { blocks, damaged, isDone } = await closeBatch(sql, day, { now, fence });
    meters.blockDaysClosed.inc(blocks);
    const date = new Date(day).toISOString().slice(0, 10);
    for (const { relation, blockId, rows, error } of damaged) {
      meters.damagedRows.inc({ relation }, rows);
      logger.error(
        { err: error, relation, blockId, rows, day: date },
        'closing a day moved damaged samples to damaged_samples',
      );
    }
    if (isDone) logger.info({ day: date }, 'closed a day of samples');
    return Math.max(MIN_PAUSE_MS, performance.now() - began);
  };
}
