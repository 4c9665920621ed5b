import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, transact } from '@tidewatch/database/connection';
import { FAILURES_TO_OPEN } from '@tidewatch/domain/notification/pacing';
import type { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { readQueueState } from '@tidewatch/store/notifications/queue-state';
import { markUnplanned, readWithheldState } from '@tidewatch/store/notifications/withheld';
import type { NotifierMetrics } from '../notifier-metrics.ts';
import type { PlanningOptions } from '../planning/planning-options.ts';
import { followUp, type ScanPosition } from './follow-up.ts';
import { remind } from './remind.ts';
import { withdraw } from './withdraw.ts';

export interface UpkeepOptions extends PlanningOptions {
  sql: Sql;
  clock: () => number;
  publicUrl: string | null;
  metrics: NotifierMetrics;
  logger: Logger;
  /** Where it is absent, other processes commit what withholds notices or ends that, and each round looks for it. */
  commits?: CommitSignal | undefined;
  /** The interval of rounds, ms. Default 1,000. */
  upkeepEveryMs?: number;
}

export interface Upkeep {
  /** Must be called after events were planned, which may have withheld notices. */
  planned(): void;
  stop(): Promise<void>;
}

/** Reminders are emitted and the queue is measured in every fifth round. */
const ROUNDS_PER_REMINDER = 5;
/** How often to check for active alerts whose events were never planned. */
const SWEEP_EVERY_MS = MINUTE_MS;
/** An event for which no notification was planned within this time counts as lost, ms. */
const PLANNING_GRACE_PERIOD_MS = 2 * MINUTE_MS;
const MAX_SWEPT = 5_000;
/** Failures are logged at most this often, ms, since every round fails while the database is unavailable. */
const LOG_EVERY_MS = 10_000;

/** Runs upkeep in rounds: follows up on withheld notices, emits reminders and measures the queue. */
export function startUpkeep(options: UpkeepOptions): Upkeep {
  const { sql, clock, metrics, logger, commits, silences, upkeepEveryMs = 1_000 } = options;
  /** Whether notices may be withheld, or silences exist. */
  let mayWithhold = true;
  let position: ScanPosition = null;
  let rounds = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  // The first sweep comes after a grace period, because events may still wait to be planned after a start.
  let sweepAt = clock() + PLANNING_GRACE_PERIOD_MS;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function withheldNotices(): Promise<void> {
    // Cleared before the statement, since what is committed meanwhile may not be in its answer.
    mayWithhold = false;
    try {
      const { silencesRevision, isAnyWithheld } = await readWithheldState(sql);
      await silences.refresh(sql, silencesRevision, clock());
      await withdraw(options, clock());
      position = isAnyWithheld ? await followUp(options, clock(), position) : null;
      if (isAnyWithheld || !silences.isEmpty) mayWithhold = true;
    } catch (error) {
      mayWithhold = true;
      throw error;
    }
  }

  async function reminders(): Promise<void> {
    if (await remind(sql, clock(), options)) commits?.emit();
  }

  async function unplannedAlerts(): Promise<void> {
    const now = clock();
    // The second condition prevents a long wait after the clock was set back.
    if (now < sweepAt && sweepAt - now <= PLANNING_GRACE_PERIOD_MS) return;
    sweepAt = now + SWEEP_EVERY_MS;
    await transact(sql, (tx) => markUnplanned(tx, now - PLANNING_GRACE_PERIOD_MS, MAX_SWEPT));
  }

  async function measureQueue(): Promise<void> {
    const now = clock();
    metrics.queue(await readQueueState(sql, now, FAILURES_TO_OPEN), now);
  }

  /** Runs all steps; the failure of one does not prevent the others. */
  async function round(): Promise<void> {
    const isLong = rounds % ROUNDS_PER_REMINDER === 0;
    const parts = isLong || mayWithhold || commits === undefined ? [withheldNotices] : [];
    if (isLong) parts.push(reminders, unplannedAlerts, measureQueue);
    rounds += 1;
    let failure: unknown = null;
    for (const part of parts) {
      await part().catch((error) => {
        failure ??= error;
      });
    }
    if (failure === null || clock() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = clock();
    logger.warn(
      { err: failure },
      'maintenance of notifications failed (withheld notices, reminders or queue metrics); retrying',
    );
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round().finally(schedule);
    }, upkeepEveryMs);
    timer.unref();
  }

  const planned = () => {
    mayWithhold = true;
  };
  commits?.onCommit(planned);
  schedule();
  return {
    planned,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
