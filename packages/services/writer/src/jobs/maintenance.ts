import type { RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { StorageBackend } from '@tidewatch/store/backends/storage-backend';
import type { Fence } from '@tidewatch/store/leases/lease';
import { removeDeadBlocks } from '@tidewatch/store/retention/dead-blocks';
import { markLostMinutes, markShortMinutes, recoverLatest } from '@tidewatch/store/rollups/recover';
import { deletePackedSamples } from '@tidewatch/store/sample-days/delete-blocks';
import { sampleLayoutOf, sampleStateOf, writesLayout } from '@tidewatch/store/sample-log/sample-layout';
import { deleteSnapshots } from '@tidewatch/store/snapshots/packed/retention';
import { noteStorageSize } from '@tidewatch/store/system/storage-size';
import type { WriterMeters } from '../writer-metrics.ts';

const RECOVER_BLOCKS = 500;

export interface MaintenanceOptions extends Pick<ServiceEnvironment, 'clock' | 'logger'> {
  sql: Sql;
  backend: StorageBackend;
  retention: RetentionDays;
  meters: WriterMeters;
}

/** The maintenance tasks of the store. Each throws if its `fence` throws. */
export interface Maintenance {
  /** Marks open minutes that no writer has in memory any more. Returns false if `end` was called before it finished. */
  recover(): Promise<boolean>;
  /** Marks minutes that were rolled up while a writer still added rows. Returns false if `end` was called before it finished. */
  recoverShort(): Promise<boolean>;
  makePartitions(fence: Fence): Promise<void>;
  /** Drops data beyond retention, after its minutes that were never rolled up were marked. */
  retain(fence: Fence): Promise<void>;
  collectBlocks(fence: Fence): Promise<void>;
  /** Notes the size of the database. */
  measureStorage(fence: Fence): Promise<void>;
  /** Ends a running recovery. */
  end(): void;
}

export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { sql, clock, backend, retention, meters, logger } = options;
  /** Whether writers of rows keep minutes in memory, which a crash loses. */
  const accumulates = backend.late === null;
  let ending = false;
  /** The UTC day of the last recovery. */
  let recoveredIn: number | undefined;
  const today = () => Math.floor(clock() / DAY_MS);

  /** Calls `work` with ranges of the ids of all blocks. Returns false if `end` was called before it finished. */
  async function eachBlock(work: (from: number, to: number) => Promise<void>): Promise<boolean> {
    const [row] = await sql<{ last: number }[]>`select coalesce(max(id), 0) as last from blocks`;
    const last = row?.last ?? 0;
    for (let from = 1; from <= last; from += RECOVER_BLOCKS) {
      if (ending) return false;
      await work(from, from + RECOVER_BLOCKS - 1);
    }
    return true;
  }

  function logRecovered(minutes: number): void {
    if (minutes > 0)
      logger.info({ buckets: minutes }, 'recomputing buckets that were still open when a writer stopped');
  }

  async function recoverShort(time: number): Promise<boolean> {
    if (!accumulates || (await sampleLayoutOf(sql)) === 'log') return true;
    let minutes = 0;
    const done = await eachBlock(async (from, to) => {
      minutes += await markShortMinutes(sql, from, to, time);
    });
    logRecovered(minutes);
    return done;
  }

  async function recoverUntil(time: number): Promise<boolean> {
    const day = today();
    let minutes = 0;
    // The seal writes latest values, and begins where it ended before.
    if ((await sampleLayoutOf(sql)) === 'log') return true;
    const done = await eachBlock(async (from, to) => {
      if (accumulates) {
        minutes += await markLostMinutes(sql, from, to, time);
        minutes += await markShortMinutes(sql, from, to, time);
      }
      await recoverLatest(sql, from, to, time);
    });
    if (!done) return false;
    logRecovered(minutes);
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
      // A writer that died may have left open minutes. Open minutes of the last day may still be in the memory of other
      // writers.
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
      if (writesLayout(await sampleStateOf(sql), 'log')) {
        await deletePackedSamples(sql, clock(), fence);
        await deleteSnapshots(sql, { now: clock(), fence });
      }
      meters.dropped.inc({ what: 'block' }, await removeDeadBlocks(sql, clock(), retention, fence));
    },
    measureStorage: (fence) => noteStorageSize(sql, clock(), fence),
    end() {
      ending = true;
    },
  };
}
