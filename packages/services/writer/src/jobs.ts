import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@tidewatch/runtime/logger';
import type { Sql } from '@tidewatch/store/connection';
import type { Edition } from '@tidewatch/store/edition';
import { recoverBlocks } from '@tidewatch/store/rollups/recover';
import { createJob } from './job.ts';
import type { LatestFlush } from './latest-flush.ts';
import type { WriterMeters } from './meters.ts';

const FLUSH_MS = 200;
const DRAIN_MS = 1_000;
const DRAIN_LIMIT = 2_000;
const COUNT_MS = 5_000;
const MAINTENANCE_MS = 600_000;
const RECOVER_BLOCKS = 500;
const RECOVER_PATIENCE_MS = 2_000;

export interface JobsOptions {
  sql: Sql;
  clock: () => number;
  edition: Edition;
  latest: LatestFlush;
  meters: WriterMeters;
  logger: Logger;
}

/** The writer's background work: latest values, dirty buckets, partitions, retention, recovery after a crash. */
export function createJobs({ sql, clock, edition, latest, meters, logger }: JobsOptions) {
  const failing = (job: string) => (error: unknown) => {
    meters.jobFailures.inc({ job });
    logger.warn({ err: error, job }, 'a background job failed and will be tried again');
  };
  let countedAt = 0;

  async function countDirty(): Promise<number> {
    const dirty = await edition.countDirty(clock());
    for (const [tier, count] of Object.entries(dirty)) meters.dirty.set({ tier }, count);
    return dirty['1m'] + dirty['1h'] + dirty['1d'];
  }

  async function drain(): Promise<number> {
    const drained = await edition.drain(clock(), DRAIN_LIMIT);
    meters.drained.inc(drained);
    if (clock() - countedAt >= COUNT_MS) {
      countedAt = clock();
      await countDirty();
    }
    return drained;
  }

  async function maintain(): Promise<void> {
    meters.partitionsCreated.inc(await edition.ensurePartitions(clock()));
    const dropped = await edition.enforceRetention(clock());
    meters.dropped.inc({ what: 'partition' }, dropped.partitions.length);
    meters.dropped.inc({ what: 'alert' }, dropped.alerts);
    meters.dropped.inc({ what: 'event' }, dropped.events);
    if (dropped.partitions.length > 0)
      logger.info({ partitions: dropped.partitions }, 'retention dropped partitions');
  }

  let stopping = false;
  let recovery: Promise<void> | undefined;
  async function recover(): Promise<void> {
    const [row] = await sql<{ last: number }[]>`select coalesce(max(id), 0) as last from blocks`;
    const last = row?.last ?? 0;
    const now = clock();
    let minutes = 0;
    for (let from = 1; from <= last && !stopping; from += RECOVER_BLOCKS) {
      minutes += await recoverBlocks(sql, from, from + RECOVER_BLOCKS - 1, now);
    }
    if (minutes > 0)
      logger.info({ buckets: minutes }, 'buckets that were open at the last end are recomputed');
  }

  const flushing = createJob(
    async () => {
      const began = clock();
      await latest.flush(began);
      // Under load a flush takes time of its own: it then comes less often, but within the second.
      return Math.min(400, Math.max(FLUSH_MS, 2 * (clock() - began)));
    },
    FLUSH_MS,
    failing('latest'),
  );
  const draining = createJob(
    async () => ((await drain()) >= DRAIN_LIMIT ? 50 : DRAIN_MS),
    DRAIN_MS,
    failing('drain'),
  );
  const maintaining = createJob(
    async () => {
      await maintain();
      return MAINTENANCE_MS;
    },
    30_000,
    failing('maintenance'),
  );
  const all = [flushing, draining, maintaining];

  return {
    async start(): Promise<void> {
      await edition.partitions.load(sql);
      meters.partitionsCreated.inc(await edition.ensurePartitions(clock()));
      recovery = recover().catch(failing('recovery'));
      // Better over before rows come, but no reason to keep a large installation closed.
      await Promise.race([recovery, sleep(RECOVER_PATIENCE_MS, undefined, { ref: false })]);
      for (const job of all) job.start();
    },
    async stop(): Promise<void> {
      stopping = true;
      await Promise.all(all.map((job) => job.stop()));
      await recovery;
      await latest.flush(clock()).catch(failing('latest'));
    },
    async settle(): Promise<void> {
      await recovery;
      await latest.flush(clock());
      while ((await edition.drain(clock(), DRAIN_LIMIT, 0)) > 0 || (await countDirty()) > 0) await sleep(20);
    },
  };
}
