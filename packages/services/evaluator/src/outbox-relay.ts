import { createRounds } from '@tidewatch/runtime/process/rounds';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Sql } from '@tidewatch/store/database/connection';
import { Lease } from '@tidewatch/store/leases/lease';
import {
  isOutboxEmpty,
  markPublished,
  numberEvents,
  type UnpublishedEvent,
} from '@tidewatch/store/outbox/publish';

export interface OutboxRelayOptions {
  sql: Sql;
  /** Publishes to the topic of events; resolves once they are accepted. Consumers may see an event again. */
  publish(events: readonly UnpublishedEvent[]): Promise<void>;
  /** Names this process among those that could be the relay. */
  holder: string;
  metrics: Metrics;
  logger: Logger;
  /** How often the outbox is looked at without a nudge, ms. Default 50. */
  pollEveryMs?: number;
}

export interface OutboxRelay {
  start(): void;
  /** There is something in the outbox. */
  nudge(): void;
  stop(): Promise<void>;
}

const LEASE = 'outbox-relay';
const EVENTS_AT_ONCE = 500;
/** Between two looks at a lease that another process has, ms; it runs out some seconds after a holder's death. */
const LEASE_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5_000;

/** Publishes what the outbox holds, oldest first and organizations in turn, with a sequence number for each event; one process at a time, by lease. */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { sql, holder, logger } = options;
  const pollEveryMs = options.pollEveryMs ?? 50;
  const published = options.metrics.counter(
    'tidewatch_outbox_published_total',
    'Events published from the outbox.',
  );
  const lease = new Lease({ sql, name: LEASE, holder });
  /** Until then another process is taken to be the relay, however often this one is nudged. */
  let elsewhereUntil = 0;
  const rounds = createRounds({
    round,
    onFailure: (error) =>
      logger.warn({ err: error }, 'events could not be published; they stay in the outbox'),
    ...{ shortestPauseMs: pollEveryMs, longestPauseMs: MAX_PAUSE_MS },
  });

  async function round(): Promise<number> {
    const leftMs = elsewhereUntil - performance.now();
    if (leftMs > 0) return leftMs;
    if (!(await lease.held())) {
      const pauseMs = Math.max(pollEveryMs, LEASE_PAUSE_MS);
      elsewhereUntil = performance.now() + pauseMs;
      return pauseMs;
    }
    const count = await relay();
    published.inc(count);
    return count === EVENTS_AT_ONCE ? 0 : pollEveryMs;
  }

  /** Numbers and publishes in one transaction: what was not accepted stays, and a number is never given twice. */
  async function relay(): Promise<number> {
    // Nearly always so, and cheaper to ask than to begin a transaction for.
    if (await isOutboxEmpty(sql)) return 0;
    return (await sql.begin(async (tx) => {
      await lease.fence(tx);
      const events = await numberEvents(tx, EVENTS_AT_ONCE);
      if (events.length === 0) return 0;
      await options.publish(events);
      await markPublished(tx, events);
      return events.length;
    })) as number;
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    async stop() {
      await rounds.stop();
      await lease.release().catch(() => undefined);
    },
  };
}
