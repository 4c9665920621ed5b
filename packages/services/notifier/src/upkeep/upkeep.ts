import { FAILURES_TO_OPEN } from '@tidewatch/domain/notification/pacing';
import type { Logger } from '@tidewatch/runtime/logger';
import { type Sql, transact } from '@tidewatch/store/connection';
import { readQueueState } from '@tidewatch/store/notifications/queue-state';
import { markUnplanned } from '@tidewatch/store/notifications/withheld';
import { readRevisions } from '@tidewatch/store/revisions/revisions';
import type { NotifierMetrics } from '../notifier-metrics.ts';
import type { PlanningOptions } from '../planning/planning-options.ts';
import { makeGood, type Place } from './make-good.ts';
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

/** Makes good what was withheld every second, and less often reminds of alerts and measures the queue. Answers how to end it. */
export function startUpkeep(options: UpkeepOptions): () => Promise<void> {
  const { sql, clock, metrics, logger, upkeepEveryMs = 1_000 } = options;
  let place: Place = null;
  let rounds = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    await options.silences.refresh(sql, (await readRevisions(sql)).silences, clock());
    await withdraw(options, clock());
    place = await makeGood(options, clock(), place);
    rounds += 1;
    if (rounds % ROUNDS_OF_REMINDERS !== 1) return;
    await remind(sql, clock(), options);
    if (clock() - sweptAt >= SWEEP_EVERY_MS || clock() < sweptAt) {
      sweptAt = clock();
      await transact(sql, (tx) => markUnplanned(tx, clock() - PLANNED_WITHIN_MS, SWEPT_AT_ONCE));
    }
    const now = clock();
    metrics.queue(await readQueueState(sql, now, FAILURES_TO_OPEN), now);
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round()
        .catch((error) =>
          logger.warn({ err: error }, 'reminders and withheld notices could not be looked for; retrying'),
        )
        .finally(schedule);
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
