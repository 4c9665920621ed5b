import { cloudEvent } from '@tidewatch/contracts/events/event';
import type { PIPELINE_EVENTS } from '@tidewatch/contracts/events/event-types';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import {
  type PipelineCrossing,
  recordPipelineDelays,
  untilPipelineDelay,
} from '@tidewatch/store/health/pipeline-delays';
import { Lease } from '@tidewatch/store/leases/lease';
import { appendEvents } from '@tidewatch/store/outbox/append';

export interface PipelineWatchOptions
  extends Pick<ServiceEnvironment, 'clock' | 'holder' | 'logger' | 'commits'> {
  sql: Sql;
  newId: (prefix: 'evt') => string;
  /** Called after each transaction that added events to the outbox. */
  onEvents?: () => void;
  /** Default 1,000. */
  everyMs?: number;
  /**
   * Grace period after the start in which no partition counts as delayed, because pipeline clocks stand still while no
   * evaluator runs.
   */
  graceMs?: number;
}

export interface PipelineWatch {
  start(): void;
  stop(): Promise<void>;
}

const LEASE = 'pipeline-watch';
/** While no partition can fall behind, the watch pauses for up to this many intervals. */
const MAX_PAUSE_FACTOR = 5;
/** The default grace period, in which evaluators advance clocks that stood still while none was running, ms. */
const GRACE_MS = 20_000;

/**
 * Emits `pipeline.delayed` to every organization once when partitions fall behind, and `pipeline.recovered` once when they
 * have caught up. Runs in one process at a time, which holds a lease; the emitted state is stored with the clocks.
 */
export function createPipelineWatch(options: PipelineWatchOptions): PipelineWatch {
  const { sql, clock, newId, holder, logger, commits, everyMs = 1_000 } = options;
  const lease = new Lease({ sql, name: LEASE, holder, isAlone: commits !== undefined });
  let startedAt = 0;
  const rounds = createRounds({
    async round() {
      const leftMs = await compare();
      return Math.max(everyMs, Math.min(leftMs, MAX_PAUSE_FACTOR * everyMs));
    },
    onFailure(error) {
      logger.warn(
        { err: error },
        'checking the pipeline for lag, or emitting an event about it, failed; retrying',
      );
    },
    minPauseMs: everyMs,
    maxPauseMs: everyMs,
  });

  /** Returns how long no partition can fall behind or catch up, ms. */
  async function compare(): Promise<number> {
    if (!(await lease.held()) || clock() - startedAt < (options.graceMs ?? GRACE_MS)) return 0;
    // Cheaper than a transaction that nearly always finds nothing.
    const leftMs = await untilPipelineDelay(sql, clock());
    if (leftMs !== null) return leftMs;
    const emitted = await sql.begin(async (tx) => {
      await lease.fence(tx);
      const now = clock();
      const { delayed, recovered } = await recordPipelineDelays(tx, now);
      await emit(tx, 'pipeline.delayed', delayed, now);
      await emit(tx, 'pipeline.recovered', recovered, now);
      return delayed.length + recovered.length > 0;
    });
    if (emitted) options.onEvents?.();
    return 0;
  }

  async function emit(
    tx: Transaction,
    type: (typeof PIPELINE_EVENTS)[number],
    crossings: readonly PipelineCrossing[],
    now: number,
  ): Promise<void> {
    const [first] = crossings;
    if (first === undefined) return;
    const pipeline = {
      partitions: crossings.map(({ partition }) => partition),
      partition_count: first.partitions,
      complete_until: toIso(Math.min(...crossings.map(({ completeUntil }) => completeUntil))),
      delayed_since: toIso(Math.min(...crossings.map(({ delayedSince }) => delayedSince))),
    };
    if (type === 'pipeline.delayed')
      logger.warn(pipeline, 'partitions lag behind: their samples are evaluated late');
    else logger.info(pipeline, 'partitions no longer lag behind');
    const organizations = await tx<{ id: string }[]>`select id from organizations order by id`;
    const entries = organizations.map(({ id: organizationId }) => ({
      organizationId,
      event: cloudEvent({
        id: newId('evt'),
        organizationId,
        type,
        subject: 'pipeline',
        time: toIso(now),
        data: { pipeline },
      }),
    }));
    await appendEvents(tx, entries);
  }

  return {
    start() {
      startedAt = clock();
      rounds.start();
    },
    async stop() {
      await rounds.stop();
      await lease.release().catch(() => undefined);
    },
  };
}
