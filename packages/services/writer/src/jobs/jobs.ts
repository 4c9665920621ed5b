import { setTimeout as sleep } from 'node:timers/promises';
import { type Fence, Lease, LeaseLostError } from '@tidewatch/store/leases/lease';
import { type LatestFlush, pauseAfterFlush } from '../latest-values/latest-flush.ts';
import { createJob } from './job.ts';
import { createMaintenance, type MaintenanceOptions } from './maintenance.ts';

const FLUSH_AGAIN_MS = 200;
const DRAIN_MS = 1_000;
const DRAIN_LIMIT = 2_000;
const COUNT_MS = 5_000;
const MAINTENANCE_MS = 600_000;
const RETRY_MS = 30_000;
/** How often a writer that lacks a lease asks for it. */
const WAITING_MS = 5_000;
const RECOVER_PATIENCE_MS = 2_000;
/**
 * How long after partitions were given anew minutes are looked at that were rolled up before: longer than a round of the
 * drain, which may have begun before their former owner's last rows.
 */
const LOOK_AFTER_MS = 35_000;

export interface JobsOptions extends MaintenanceOptions {
  latest: LatestFlush;
  /** Names this writer among those on one database. */
  holder: string;
  /** How long after `assigned` short minutes are looked for, ms. */
  lookAfterMs?: number;
}

/**
 * The writer's background work. Each flushes its own latest values; rollups, partitions, retention and dead blocks are
 * the work of one writer at a time, by a lease for each.
 */
export function createJobs(options: JobsOptions) {
  const { sql, clock, backend, latest, meters, logger, holder, lookAfterMs = LOOK_AFTER_MS } = options;
  const maintenance = createMaintenance(options);
  function failing(job: string): (error: unknown) => void {
    meters.jobFailures.inc({ job }, 0); // a first failure is a rise then
    return (error) => {
      meters.jobFailures.inc({ job });
      logger.warn({ err: error, job }, 'a background job failed and will be tried again');
    };
  }
  const leases: Lease[] = [];
  let countedAt = 0;

  async function countDirty(): Promise<number> {
    const dirty = await backend.countDirty(clock());
    for (const [tier, count] of Object.entries(dirty)) meters.dirty.set({ tier }, count);
    return dirty['1m'] + dirty['1h'] + dirty['1d'];
  }

  async function drain(fence: Fence): Promise<number> {
    const drained = await backend.drain(clock(), DRAIN_LIMIT, undefined, fence);
    meters.drained.inc(drained);
    if (clock() - countedAt >= COUNT_MS) {
      countedAt = clock();
      await countDirty();
    }
    return drained >= DRAIN_LIMIT ? 50 : DRAIN_MS;
  }

  /** A round that is this writer's only while it has the lease of that name. Answers how long to wait, ms. */
  function underLease(name: string, round: (fence: Fence) => Promise<number>): () => Promise<number> {
    const lease = new Lease({ sql, name: `writer-${name}`, holder });
    leases.push(lease);
    return async () => {
      try {
        return (await lease.held()) ? await round(lease.fence) : WAITING_MS;
      } catch (error) {
        if (error instanceof LeaseLostError) return WAITING_MS;
        throw error;
      }
    };
  }

  const seldom = (round: (fence: Fence) => Promise<void>) => async (fence: Fence) => {
    await round(fence);
    return MAINTENANCE_MS;
  };
  const flush = async () => {
    const began = clock();
    const payloads = await latest.flush(began);
    return pauseAfterFlush(clock() - began, payloads);
  };
  const makePartitions = underLease('partitions', seldom(maintenance.makePartitions));
  const job = (name: string, round: () => Promise<number>, retryMs: number) =>
    createJob(round, retryMs, failing(name));
  const all = [
    job('latest', flush, FLUSH_AGAIN_MS),
    job('drain', underLease('drain', drain), DRAIN_MS),
    job('partitions', makePartitions, RETRY_MS),
    job('retention', underLease('retention', seldom(maintenance.retain)), RETRY_MS),
    job('dead-blocks', underLease('dead-blocks', seldom(maintenance.collectBlocks)), RETRY_MS),
  ];
  let recovery: Promise<unknown> | undefined;
  const ended = new AbortController();
  let looking: Promise<void> | undefined;
  /** When partitions were last given to us, by the monotonic clock, ms. */
  let assignedAt = 0;

  /** Looks once nothing was given for a while, and again where that fails. */
  async function look(): Promise<void> {
    for (let lookedFor = 0; lookedFor !== assignedAt && !ended.signal.aborted; ) {
      const left = assignedAt + lookAfterMs - performance.now();
      if (left > 0) {
        await sleep(left, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
        continue;
      }
      const since = assignedAt;
      try {
        await recovery;
        await maintenance.recoverShort();
        lookedFor = since;
      } catch (error) {
        failing('recovery')(error);
        await sleep(lookAfterMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
      }
    }
    looking = undefined;
  }

  return {
    /** Nobody but us adds to what is ours from now on: what others left is as it will stay. */
    assigned(): void {
      assignedAt = performance.now();
      looking ??= look();
    },
    async start(): Promise<void> {
      await backend.partitions.load(sql);
      await makePartitions();
      recovery = maintenance.recover().catch(failing('recovery'));
      // Better over before rows come, but no reason to keep a large installation closed.
      await Promise.race([recovery, sleep(RECOVER_PATIENCE_MS, undefined, { ref: false })]);
      for (const job of all) job.start();
    },
    async stop(): Promise<void> {
      maintenance.end();
      ended.abort();
      await Promise.all(all.map((job) => job.stop()));
      await Promise.all([recovery, looking]);
      await latest.flush(clock()).catch(failing('latest'));
      // Whoever comes next need not wait; without a database the leases run out by themselves.
      await Promise.all(leases.map((lease) => lease.release())).catch(() => {});
    },
    async settle(): Promise<void> {
      await recovery;
      await latest.flush(clock());
      while ((await backend.drain(clock(), DRAIN_LIMIT, 0)) > 0 || (await countDirty()) > 0) await sleep(20);
    },
  };
}
