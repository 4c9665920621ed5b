import { FAILURES_TO_OPEN } from '@tidewatch/domain/notification/pacing';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Sql, transact } from '@tidewatch/store/database/connection';
import { readQueueState } from '@tidewatch/store/notifications/queue-state';
import { markUnplanned } from '@tidewatch/store/notifications/withheld';
import { readRevisions } from '@tidewatch/store/revisions/revisions';
import type { NotifierMetrics } from '../notifier-metrics.ts';
import type { PlanningOptions } from '../planning/planning-options.ts';
import { makeGood, type Place } from './follow-up.ts';
import { remind } from './remind.ts';
import { withdraw } from './withdraw.ts';

export interface UpkeepOptions extends PlanningOptions {
  sql: Sql;
  clock: () => number;
  publicUrl: string | null;
  metrics: NotifierMetrics;
  logger: Logger;
  /** ms. Default 1,000. */
  upkeepEveryMs?: number;
}

/** The queue is measured, and reminders are looked for, once in so many rounds. */
const ROUNDS_OF_REMINDERS = 5;
/** Active alerts whose events were never planned are looked for this often, ms. */
const SWEEP_EVERY_MS = 60_000;
/** Events are planned within this, or they are late; ms. */
const PLANNED_WITHIN_MS = 2 * 60_000;
const SWEPT_AT_ONCE = 5_000;
/** What fails, fails again each round while the database is away; ms. */
const LOGGED_EVERY_MS = 10_000;

/** Makes good what was withheld every second, and less often reminds of alerts and measures the queue. Answers how to end it. */
export function startUpkeep(options: UpkeepOptions): () => Promise<void> {
  const { sql, clock, metrics, logger, upkeepEveryMs = 1_000 } = options;
  let place: Place = null;
  let rounds = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  // Whoever has just started may have much to plan.
  let sweepAt = clock() + PLANNED_WITHIN_MS;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function withheldNotices(): Promise<void> {
    await options.silences.refresh(sql, (await readRevisions(sql)).silences, clock());
    await withdraw(options, clock());
    place = await makeGood(options, clock(), place);
  }

  async function unplannedAlerts(): Promise<void> {
    const now = clock();
    // A clock that was set back would have it wait for long.
    if (now < sweepAt && sweepAt - now <= PLANNED_WITHIN_MS) return;
    sweepAt = now + SWEEP_EVERY_MS;
    await transact(sql, (tx) => markUnplanned(tx, now - PLANNED_WITHIN_MS, SWEPT_AT_ONCE));
  }

  async function measureQueue(): Promise<void> {
    const now = clock();
    metrics.queue(await readQueueState(sql, now, FAILURES_TO_OPEN), now);
  }

  /** What one of them fails at keeps none of the others from its work. */
  async function round(): Promise<void> {
    const parts = [withheldNotices];
    if (rounds % ROUNDS_OF_REMINDERS === 0)
      parts.push(() => remind(sql, clock(), options), unplannedAlerts, measureQueue);
    rounds += 1;
    let failure: unknown = null;
    for (const part of parts) {
      await part().catch((error) => {
        failure ??= error;
      });
    }
    if (failure === null || clock() - loggedAt < LOGGED_EVERY_MS) return;
    loggedAt = clock();
    logger.warn({ err: failure }, 'reminders and withheld notices could not be looked for; retrying');
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round().finally(schedule);
    }, upkeepEveryMs);
    timer.unref();
  }

  schedule();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
