import { PROBE_TYPE } from '@tidewatch/contracts/events/probe';
import type { Sql } from '@tidewatch/database/connection';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { PollPause } from '@tidewatch/runtime/process/poll-pause';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import { Lease } from '@tidewatch/store/leases/lease';
import {
  isOutboxEmpty,
  markPublished,
  numberEvents,
  type UnpublishedEvent,
} from '@tidewatch/store/outbox/publish';

export interface OutboxRelayOptions
  extends Pick<ServiceEnvironment, 'holder' | 'metrics' | 'logger' | 'commits'> {
  sql: Sql;
  /** Publishes events to their topic; resolves once they are accepted. Consumers may receive an event more than once. */
  publish(events: readonly UnpublishedEvent[]): Promise<void>;
  /** Interval of polling the outbox without a nudge, ms. Default 50. */
  pollEveryMs?: number;
  /** The same at rest, ms. Default five times as much. */
  pollAtRestMs?: number;
}

export interface OutboxRelay {
  start(): void;
  /** Publishes events soon that were committed. */
  nudge(): void;
  /** Checks soon whether events were committed. */
  check(): void;
  stop(): Promise<void>;
}

const LEASE = 'outbox-relay';
const EVENTS_AT_ONCE = 500;
/**
 * Interval of trying to take a lease that another process holds, ms; the lease of an ended process expires after seconds.
 */
const LEASE_PAUSE_MS = 1_000;
/** The pauses after failures, ms. */
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5_000;
/**
 * The min time from a round that published to the next one, ms. A round costs as much as many events, and of a burst each transaction
 * would begin one.
 */
const MIN_INTERVAL_MS = 40;

/**
 * Publishes events of the outbox with sequence numbers, oldest first, organizations in turn. Runs in one process at a time,
 * which holds a lease.
 */
export function createOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { sql, holder, logger, commits } = options;
  const pollEveryMs = options.pollEveryMs ?? 50;
  const pause = new PollPause({ everyMs: pollEveryMs, atRestMs: options.pollAtRestMs ?? 5 * pollEveryMs });
  const published = options.metrics.counter(
    'tidewatch_outbox_published_total',
    'Events published from the outbox.',
  );
  const lease = new Lease({ sql, name: LEASE, holder, isAlone: commits !== undefined });
  /** The time until which another process is assumed to hold the lease. */
  let elsewhereUntil = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;
  /** Whether events were announced since the outbox was read last. */
  let hasEvents = false;
  const rounds = createRounds({
    round,
    onFailure: (error) =>
      logger.warn({ err: error }, 'publishing events failed; they stay in the outbox; retrying'),
    minPauseMs: Math.min(pollEveryMs, MIN_PAUSE_MS),
    maxPauseMs: MAX_PAUSE_MS,
  });

  async function round(): Promise<number> {
    const leftMs = Math.max(elsewhereUntil, publishedAt + MIN_INTERVAL_MS) - performance.now();
    if (leftMs > 0) return leftMs;
    if (!(await lease.held())) {
      const pauseMs = Math.max(pollEveryMs, LEASE_PAUSE_MS);
      elsewhereUntil = performance.now() + pauseMs;
      return pauseMs;
    }
    const events = await relay();
    published.inc(events.length);
    // Probes come at rest too.
    const isWork = events.some(({ event }) => event['type'] !== PROBE_TYPE);
    if (events.length === EVENTS_AT_ONCE) return 0;
    const now = performance.now();
    if (isWork) publishedAt = now;
    return pause.after(isWork, now);
  }

  /**
   * Numbers and publishes events in one transaction: events that are not accepted stay in the outbox, and no number is used
   * twice.
   */
  async function relay(): Promise<readonly UnpublishedEvent[]> {
    // The outbox is nearly always empty, and this check is cheaper than beginning a transaction.
    if (!hasEvents && (await isOutboxEmpty(sql))) return [];
    hasEvents = false;
    return (await sql.begin(async (tx) => {
      await lease.fence(tx);
      const events = await numberEvents(tx, EVENTS_AT_ONCE);
      if (events.length === 0) return [];
      await options.publish(events);
      await markPublished(tx, events);
      return events;
    })) as readonly UnpublishedEvent[];
  }

  return {
    start: rounds.start,
    nudge() {
      hasEvents = true;
      rounds.nudge();
    },
    check: rounds.nudge,
    async stop() {
      await rounds.stop();
      await lease.release().catch(() => undefined);
    },
  };
}
