import { setTimeout as sleep } from 'node:timers/promises';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import { type Fence, Lease, LeaseLostError } from '@tidewatch/store/leases/lease';
import { type SampleLayout, sampleStateOf, writesLayout } from '@tidewatch/store/sample-log/sample-layout';
import { type LatestFlush, pauseAfterFlush } from '../latest-values/latest-flush.ts';
import { createDayClosing } from './day-closing.ts';
import { createMaintenance, type MaintenanceOptions } from './maintenance.ts';
import { createSealing, SEAL_RETRY_MS } from './sealing.ts';
import { createSnapshotSealing } from './snapshot-sealing.ts';

const FLUSH_RETRY_MS = 200;
const DRAIN_PAUSE_MS = 1_000;
const MAX_DRAINED = 2_000;
const COUNT_INTERVAL_MS = 5_000;
const MAINTENANCE_INTERVAL_MS = 600_000;
const RETRY_MS = 30_000;
/** How often a writer without a lease tries to take it, ms. */
const LEASE_RETRY_MS = 5_000;
/** How often to look whether samples are written in another layout, ms. */
const LAYOUT_CHECK_MS = 1_000;
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
  /** Whether this writer is in the only process that works on the database. */
  isAlone?: boolean;
  /** How long after `assigned` to check for minutes that were rolled up too early, ms. */
  recoveryDelayMs?: number;
  /** How often a log of samples is sealed into chunks, ms. Default five minutes. */
  sealIntervalMs?: number | undefined;
  /** How long after the start seals, retention and the removal of dead blocks begin, ms, so that they do not slow it down. Default 0. */
  upkeepAfterMs?: number | undefined;
}

/**
 * The background jobs of the writer. Each writer flushes its own latest values; rollups, partitions, retention and dead
 * blocks are done by one writer at a time, with a lease for each.
 */
export function createJobs(options: JobsOptions) {
  const {
    sql,
    clock,
    backend,
    latest,
    meters,
    logger,
    holder,
    isAlone = false,
    recoveryDelayMs = RECOVERY_DELAY_MS,
    upkeepAfterMs = 0,
  } = options;
  const maintenance = createMaintenance(options);
  const sealing = backend.layouts.includes('log') ? createSealing(options) : null;
  function failing(job: string): (error: unknown) => void {
    meters.jobFailures.inc({ job }, 0); // exists from the start, so that the first failure is an increase
    return (error) => {
      meters.jobFailures.inc({ job });
      logger.warn({ err: error, job }, 'a background job failed; retrying');
    };
  }
  const leases: Lease[] = [];
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

  /** Returns a round that runs only while this writer holds the lease of that name. */
  function underLease(name: string, round: (fence: Fence) => Promise<number>): () => Promise<number> {
    const lease = new Lease({ sql, name: `writer-${name}`, holder, isAlone });
    leases.push(lease);
    return async () => {
      try {
        return (await lease.held()) ? await round(lease.fence) : LEASE_RETRY_MS;
      } catch (error) {
        if (error instanceof LeaseLostError) return LEASE_RETRY_MS;
        throw error;
      }
    };
  }

  /** Returns a round that runs only while samples are written in this layout. */
  const whileWritten = (layout: SampleLayout, round: () => Promise<number>) => async () =>
    writesLayout(await sampleStateOf(sql), layout) ? await round() : LAYOUT_CHECK_MS;

  const withLongPause = (round: (fence: Fence) => Promise<void>) => async (fence: Fence) => {
    await round(fence);
    return MAINTENANCE_INTERVAL_MS;
  };
  const flush = async () => {
    const began = clock();
    const payloads = await latest.flush(began);
    return pauseAfterFlush(clock() - began, payloads);
  };
  const makePartitions = underLease('partitions', withLongPause(maintenance.makePartitions));
  function job(name: string, round: () => Promise<number>, retryMs: number) {
    const failed = failing(name);
    const show = (isFailing: 0 | 1) => meters.jobFailing.set({ job: name }, isFailing);
    show(0);
    return createRounds({
      async round() {
        const pauseMs = await round();
        show(0);
        return pauseMs;
      },
      onFailure(error) {
        show(1);
        failed(error);
      },
      minPauseMs: retryMs,
      maxPauseMs: retryMs,
    });
  }
  const prompt = [
    job('latest', flush, FLUSH_RETRY_MS),
    ...(backend.layouts.includes('rows')
      ? [job('drain', whileWritten('rows', underLease('drain', drain)), DRAIN_PAUSE_MS)]
      : []),
    ...(sealing === null
      ? []
      : [
          job(
            'seal-snapshots',
            whileWritten('log', underLease('seal-snapshots', createSnapshotSealing(options))),
            RETRY_MS,
          ),
          job(
            'close-days',
            whileWritten('log', underLease('close-days', createDayClosing(options))),
            RETRY_MS,
          ),
        ]),
    job('partitions', makePartitions, RETRY_MS),
    job('storage-size', underLease('storage-size', withLongPause(maintenance.measureStorage)), RETRY_MS),
  ];
  const upkeep = [
    ...(sealing === null
      ? []
      : [job('seal', whileWritten('log', underLease('seal', sealing.round)), SEAL_RETRY_MS)]),
    job('retention', underLease('retention', withLongPause(maintenance.retain)), RETRY_MS),
    job('dead-blocks', underLease('dead-blocks', withLongPause(maintenance.collectBlocks)), RETRY_MS),
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
      await Promise.all([...prompt, ...upkeep].map((job) => job.stop()));
      await Promise.all([recovery, checking]);
      await latest.flush(clock()).catch(failing('latest'));
      // Releases the leases, so that the next writer need not wait until they expire, as it must without a database.
      await Promise.all(leases.map((lease) => lease.release())).catch(() => {});
    },
    async settle(): Promise<void> {
      await recovery;
      await latest.flush(clock());
      if (writesLayout(await sampleStateOf(sql), 'log')) await sealing?.all();
      while ((await backend.drain(clock(), MAX_DRAINED, 0)) > 0 || (await countDirty()) > 0) await sleep(20);
    },
  };
}
