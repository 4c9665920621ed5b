import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreOptions } from '@tidewatch/database/connection';
import type { Fence } from '@tidewatch/store/leases/lease';
import { sampleStateOf, writesLayout } from '@tidewatch/store/sample-log/sample-layout';
import { type LatestFlush, pauseAfterFlush } from '../latest-values/latest-flush.ts';
import { createPackingJobs, type PackingJobs } from '../packing/packing-jobs.ts';
import { createPackingThread } from '../packing/packing-thread.ts';
import { createSealing } from '../packing/sealing.ts';
import { createJob, failuresOf } from './job.ts';
import { LeasedRounds } from './leased-rounds.ts';
import { createMaintenance, type MaintenanceOptions } from './maintenance.ts';
import { whileWritten } from './while-written.ts';

const FLUSH_RETRY_MS = 200;
const DRAIN_PAUSE_MS = 1_000;
const MAX_DRAINED = 2_000;
const COUNT_INTERVAL_MS = 5_000;
const MAINTENANCE_INTERVAL_MS = 600_000;
const RETRY_MS = 30_000;
const RECOVERY_GRACE_PERIOD_MS = 2_000;
/**
 * How long after an assignment of partitions to check minutes that were already rolled up: longer than a round of the
 * drain, which may have begun before the last rows of the former owner.
 */
const RECOVERY_DELAY_MS = 35_000;

export interface JobsOptions extends MaintenanceOptions {
  latest: LatestFlush;
  /** The name of this writer in leases. */
  holder: string;
  /** How long after `assigned` to check for minutes that were rolled up too early, ms. */
  recoveryDelayMs?: number;
  /** How often a log of samples is sealed into chunks, ms. Default five minutes. */
  sealIntervalMs?: number | undefined;
  /**
   * How long after the start the packing of a log, retention and the removal of dead blocks begin, ms, so that they do not slow it down.
   * Default 0.
   */
  upkeepAfterMs?: number | undefined;
  /** The connections of a thread that packs a log. Without them that is done here, on `sql`. */
  packingStore?: StoreOptions | undefined;
}

/**
 * The background jobs of the writer. Each writer flushes its own latest values; rollups, the packing of a log, partitions, retention and
 * dead blocks are done by one writer at a time, with a lease for each.
 */
export function createJobs(options: JobsOptions) {
  const {
    sql,
    clock,
    backend,
    latest,
    meters,
    logger,
    recoveryDelayMs = RECOVERY_DELAY_MS,
    upkeepAfterMs = 0,
  } = options;
  const maintenance = createMaintenance(options);
  const leased = new LeasedRounds(options);
  const failing = (job: string) => failuresOf(job, options);
  const packing = backend.layouts.includes('log') ? packingOf(options) : null;
  let countedAt = 0;

  async function countDirty(): Promise<number> {
    const dirty = await backend.countDirty(clock());
    for (const [tier, count] of Object.entries(dirty)) meters.dirty.set({ tier }, count);
    return Object.values(dirty).reduce((sum, count) => sum + count);
  }

  async function drain(fence: Fence): Promise<number> {
    const drained = await backend.drain(clock(), MAX_DRAINED, undefined, fence);
    meters.drained.inc(drained);
    if (clock() - countedAt >= COUNT_INTERVAL_MS) {
      countedAt = clock();
      await countDirty();
    }
    return drained >= MAX_DRAINED ? 50 : DRAIN_PAUSE_MS;
  }

  const withLongPause = (round: (fence: Fence) => Promise<void>) => async (fence: Fence) => {
    await round(fence);
    return MAINTENANCE_INTERVAL_MS;
  };
  const flush = async () => {
    const began = clock();
    const payloads = await latest.flush(began);
    return pauseAfterFlush(clock() - began, payloads);
  };
  const makePartitions = leased.under('partitions', withLongPause(maintenance.makePartitions));
  const job = (name: string, round: () => Promise<number>, retryMs: number) =>
    createJob({ name, round, minRetryMs: retryMs, maxRetryMs: retryMs, meters, logger });
  const measureStorage = leased.under('storage-size', withLongPause(maintenance.measureStorage));
  const prompt = [
    job('latest', flush, FLUSH_RETRY_MS),
    ...(backend.layouts.includes('rows')
      ? [job('drain', whileWritten(sql, 'rows', leased.under('drain', drain)), DRAIN_PAUSE_MS)]
      : []),
    job('partitions', makePartitions, RETRY_MS),
    job('storage-size', measureStorage, RETRY_MS),
  ];
  const upkeep = [
    job('retention', leased.under('retention', withLongPause(maintenance.retain)), RETRY_MS),
    job('dead-blocks', leased.under('dead-blocks', withLongPause(maintenance.collectBlocks)), RETRY_MS),
  ];
  let recovery: Promise<unknown> | undefined;
  const ended = new AbortController();
  let upkeepTimer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | undefined;
  /** When partitions were last assigned to this writer, by the monotonic clock, ms. */
  let assignedAt = 0;

  /** Checks for minutes that were rolled up too early, some time after the last assignment; retries after a failure. */
  async function checkShortMinutes(): Promise<void> {
    for (let checkedFor = 0; checkedFor !== assignedAt && !ended.signal.aborted; ) {
      const left = assignedAt + recoveryDelayMs - performance.now();
      if (left > 0) {
        await sleep(left, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
        continue;
      }
      const since = assignedAt;
      try {
        await recovery;
        await maintenance.recoverShort();
        checkedFor = since;
      } catch (error) {
        failing('recovery')(error);
        await sleep(recoveryDelayMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
      }
    }
    checking = undefined;
  }

  function startUpkeep(): void {
    packing?.start();
    for (const job of upkeep) job.start();
  }

  return {
    /** Must be called after partitions were assigned to this writer: from now on no other writer adds rows to them. */
    assigned(): void {
      assignedAt = performance.now();
      checking ??= checkShortMinutes();
    },
    async start(): Promise<void> {
      await backend.partitions.load(sql);
      await makePartitions();
      recovery = maintenance.recover().catch(failing('recovery'));
      // Waits for recovery, but only for a limited time, so that a large installation does not start late.
      await Promise.race([recovery, sleep(RECOVERY_GRACE_PERIOD_MS, undefined, { ref: false })]);
      for (const job of prompt) job.start();
      if (upkeepAfterMs === 0) startUpkeep();
      else upkeepTimer = setTimeout(startUpkeep, upkeepAfterMs).unref();
    },
    async stop(): Promise<void> {
      maintenance.end();
      ended.abort();
      clearTimeout(upkeepTimer);
      await Promise.all([packing?.stop(), ...[...prompt, ...upkeep].map((job) => job.stop())]);
      await Promise.all([recovery, checking]);
      await latest.flush(clock()).catch(failing('latest'));
      await leased.release();
    },
    async settle(): Promise<void> {
      await recovery;
      await latest.flush(clock());
      if (writesLayout(await sampleStateOf(sql), 'log')) await createSealing(options).all();
      while ((await backend.drain(clock(), MAX_DRAINED, 0)) > 0 || (await countDirty()) > 0) await sleep(20);
    },
  };
}

/** The jobs that pack a log: in a thread of their own where they have connections of their own. */
function packingOf({ packingStore, ...options }: JobsOptions): PackingJobs {
  if (packingStore === undefined) return createPackingJobs(options);
  const { holder, sealIntervalMs, ...reports } = options;
  return createPackingThread({ ...reports, order: { store: packingStore, holder, sealIntervalMs } });
}
