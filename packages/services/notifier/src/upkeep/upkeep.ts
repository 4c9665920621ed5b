import type { IdPrefix } from '@tidewatch/contracts/values/id';
import { FAILURES_TO_OPEN } from '@tidewatch/domain/notification/pacing';
import type { Logger } from '@tidewatch/runtime/logger';
import type { Sql } from '@tidewatch/store/connection';
import { readQueueState } from '@tidewatch/store/notifications/queue-state';
import type { NotifierMetrics } from '../notifier-metrics.ts';
import { remind } from './remind.ts';

export interface UpkeepOptions {
  sql: Sql;
  clock: () => number;
  newId: (prefix: IdPrefix) => string;
  publicUrl: string | null;
  metrics: NotifierMetrics;
  logger: Logger;
  /** ms. Default 5,000. */
  upkeepEveryMs?: number;
}

/** Reminds of alerts that go on, and measures the queue, every few seconds. Answers how to end it. */
export function startUpkeep(options: UpkeepOptions): () => Promise<void> {
  const { sql, clock, newId, metrics, logger, upkeepEveryMs = 5_000 } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    await remind(sql, clock(), newId, options.publicUrl);
    const now = clock();
    metrics.queue(await readQueueState(sql, now, FAILURES_TO_OPEN), now);
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round()
        .catch((error) => logger.warn({ err: error }, 'reminders could not be looked for'))
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
