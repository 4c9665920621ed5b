import { DAY_MS } from '@tidewatch/domain/rollup/tier';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { StorageBackend } from '@tidewatch/store/backends/storage-backend';
import type { Sql } from '@tidewatch/store/database/connection';
import type { Fence } from '@tidewatch/store/leases/lease';
import { removeDeadBlocks } from '@tidewatch/store/retention/dead-blocks';
import type { RetentionDays } from '@tidewatch/store/retention/retention';
import { markLostMinutes, markShortMinutes, recoverLatest } from '@tidewatch/store/rollups/recover';
import type { WriterMeters } from '../writer-metrics.ts';

const RECOVER_BLOCKS = 500;

export interface MaintenanceOptions {
  sql: Sql;
  clock: () => number;
  backend: StorageBackend;
  retention: RetentionDays;
  meters: WriterMeters;
  logger: Logger;
}

/** Rounds of what keeps the store in order. Each throws where its fence does. */
export interface Maintenance {
  /** Marks open minutes that no memory holds any more, once; false where it was told to end before. */
  recover(): Promise<boolean>;
  /** Marks minutes that were rolled up while a writer still added to them; false where it was told to end before. */
  recoverShort(): Promise<boolean>;
  makePartitions(fence: Fence): Promise<void>;
  /** Drops what is too old, after whatever of it was never rolled up was marked. */
  retain(fence: Fence): Promise<void>;
  collectBlocks(fence: Fence): Promise<void>;
  /** Ends a recovery under way. */
  end(): void;
}

export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { sql, clock, backend, retention, meters, logger } = options;
  let ending = false;
  /** The UTC day in which open minutes were last looked for. */
  let recoveredIn: number | undefined;
  const today = () => Math.floor(clock() / DAY_MS);

  /** Does something to all blocks, some at a time; false where it was told to end before. */
  async function eachBlock(work: (from: number, to: number) => Promise<void>): Promise<boolean> {
    const [row] = await sql<{ last: number }[]>`select coalesce(max(id), 0) as last from blocks`;
    const last = row?.last ?? 0;
    for (let from = 1; from <= last; from += RECOVER_BLOCKS) {
      if (ending) return false;
      await work(from, from + RECOVER_BLOCKS - 1);
    }
    return true;
  }

  function tellRecovered(minutes: number): void {
    if (minutes > 0)
      logger.info({ buckets: minutes }, 'buckets that were open at the last end are recomputed');
  }

  async function recoverShort(time: number): Promise<boolean> {
    if (backend.late !== null) return true;
    let minutes = 0;
    const done = await eachBlock(async (from, to) => {
      minutes += await markShortMinutes(sql, from, to, time);
    });
    tellRecovered(minutes);
    return done;
  }

  async function recoverUntil(time: number): Promise<boolean> {
    const day = today();
    let minutes = 0;
    const done = await eachBlock(async (from, to) => {
      if (backend.late === null) {
        minutes += await markLostMinutes(sql, from, to, time);
        minutes += await markShortMinutes(sql, from, to, time);
      }
      await recoverLatest(sql, from, to, time);
    });
    if (!done) return false;
    tellRecovered(minutes);
    recoveredIn = day;
    return true;
  }

  return {
    recover: () => recoverUntil(clock()),
    recoverShort: () => recoverShort(clock()),
    async makePartitions(fence) {
      meters.partitionsCreated.inc(await backend.ensurePartitions(clock(), fence));
    },
    async retain(fence) {
      // A writer that died elsewhere may have left open minutes too. Those of the last day may still be held.
      if (
        recoveredIn !== today() &&
        !(await recoverUntil(recoveredIn === undefined ? clock() : clock() - DAY_MS))
      )
        return;
      const dropped = await backend.enforceRetention(clock(), fence);
      meters.dropped.inc({ what: 'partition' }, dropped.partitions.length);
      meters.dropped.inc({ what: 'alert' }, dropped.alerts);
      meters.dropped.inc({ what: 'event' }, dropped.events);
      meters.dropped.inc({ what: 'notification' }, dropped.notifications);
      meters.dropped.inc({ what: 'silence' }, dropped.silences);
      meters.dropped.inc({ what: 'investigation' }, dropped.investigations);
      meters.dropped.inc({ what: 'marker' }, dropped.markers);
      meters.dropped.inc({ what: 'tag_change' }, dropped.tagChanges);
      if (dropped.partitions.length > 0)
        logger.info({ partitions: dropped.partitions }, 'retention dropped partitions');
    },
    async collectBlocks(fence) {
      meters.dropped.inc({ what: 'block' }, await removeDeadBlocks(sql, clock(), retention, fence));
    },
    end() {
      ending = true;
    },
  };
}
