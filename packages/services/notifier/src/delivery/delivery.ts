import { setTimeout as sleep } from 'node:timers/promises';
import type { Unconfigured } from '@tidewatch/contracts/notifications/notification';
import type { Outcome } from '@tidewatch/destinations/sender';
import type { Logger } from '@tidewatch/runtime/logger';
import { createRounds } from '@tidewatch/runtime/rounds';
import { type QueuedChannel, readQueuedChannels } from '@tidewatch/store/notifications/claim';
import { keyOf } from '@tidewatch/store/notifications/facts';
import type { NotifierMetrics } from '../notifier-metrics.ts';
import { type AttemptOptions, attempt, record } from './attempt.ts';
import { claimChannel, LEASE_MS, type ReadyNotification } from './claim-channel.ts';

export interface DeliveryOptions extends AttemptOptions {
  metrics: NotifierMetrics;
  logger: Logger;
  /** How often the queue is looked at without a nudge, ms. Default 250. */
  pollEveryMs?: number;
}

export interface Delivery {
  start(): void;
  /** There is something in the queue. */
  nudge(): void;
  /** When the queue was last looked at, by the clock; null before the first time and while it cannot be. */
  lookedAt(): number | null;
  /** Claims nothing any more from the call on, and waits for what was claimed. */
  stop(): Promise<void>;
}

/** Attempts that one process has under way at once: of one channel, so that none takes the place of others, and in all. */
const AT_ONCE_OF_CHANNEL = 4;
const AT_ONCE = 64;
const LONGEST_PAUSE_MS = 5_000;
/** A channel that is left alone is asked for again after so long: whoever changes it ends its rest. */
const LONGEST_REST_MS = 5_000;
/** What is under way at the end may take so long; what takes longer is begun again by whoever comes next. */
const FINISH_WITHIN_MS = 5_000;
const FIRST_RECORD_PAUSE_MS = 100;

/** Sends what is queued. Every process may: each claims what it sends, and the rate of a channel holds for all together. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { sql, clock, metrics, logger } = options;
  const pollEveryMs = options.pollEveryMs ?? 250;
  const underWay = new Map<string, number>();
  const attempts = new Set<Promise<void>>();
  /** Until when the pace of channels lets nothing be claimed, ms. */
  const resting = new Map<string, number>();
  let lookedAt: number | null = null;
  const rounds = createRounds({
    async round() {
      const next = await look();
      return Math.min(next - clock(), pollEveryMs);
    },
    onFailure(error) {
      lookedAt = null;
      logger.warn({ err: error }, 'the queue of notifications cannot be read; what is in it stays');
    },
    ...{ shortestPauseMs: pollEveryMs, longestPauseMs: LONGEST_PAUSE_MS, random: options.random },
  });

  /** Looks through the queue once; answers when to look again, ms by the clock. */
  async function look(): Promise<number> {
    const now = clock();
    const channels = await readQueuedChannels(sql);
    lookedAt = now;
    const queued = new Set(channels.map(nameOf));
    for (const name of resting.keys()) if (!queued.has(name)) resting.delete(name);
    const due: QueuedChannel[] = [];
    let next = now + pollEveryMs;
    for (const channel of channels) {
      const from = Math.max(channel.dueAt, resting.get(nameOf(channel)) ?? 0);
      if (from <= now) due.push(channel);
      else next = Math.min(next, from);
    }
    due.sort((a, b) => a.dueAt - b.dueAt);
    // What a claim finds decides how much room there is for the next.
    for (const channel of due) next = Math.min(next, await claim(channel));
    return next;
  }

  async function claim(channel: QueuedChannel): Promise<number> {
    const name = nameOf(channel);
    const free = Math.min(AT_ONCE_OF_CHANNEL - (underWay.get(name) ?? 0), AT_ONCE - attempts.size);
    // The end of an attempt is a nudge.
    if (free <= 0 || rounds.isStopped()) return Number.POSITIVE_INFINITY;
    const now = clock();
    const { ready, suppressed, restMs, blocked } = await claimChannel(sql, channel, free, now);
    if (suppressed > 0) metrics.settled(channel.kind, 'suppressed', suppressed);
    for (const notification of ready) begin(name, notification);
    const until = now + Math.min(restMs, LONGEST_REST_MS);
    resting.set(name, until);
    // What is blocked is looked at at the next nudge, or at the next turn.
    return blocked ? Number.POSITIVE_INFINITY : until;
  }

  function begin(name: string, notification: ReadyNotification): void {
    underWay.set(name, (underWay.get(name) ?? 0) + 1);
    if (notification.repeated) {
      metrics.repeated();
      const { id, channel, attempts: count } = notification;
      logger.warn(
        { id, channel, attempts: count },
        'an attempt was begun and nobody recorded how it ended; it is made again',
      );
    }
    const work = deliver(notification).finally(() => {
      attempts.delete(work);
      resting.delete(name);
      const left = (underWay.get(name) ?? 1) - 1;
      if (left === 0) underWay.delete(name);
      else underWay.set(name, left);
      rounds.nudge();
    });
    attempts.add(work);
  }

  async function deliver(notification: ReadyNotification): Promise<void> {
    const began = performance.now();
    const deadline = began + LEASE_MS;
    try {
      const outcome = await attempt(notification, options);
      metrics.attempted(notification.kind, (performance.now() - began) / 1_000);
      await recordBefore(deadline, notification, outcome);
    } catch (error) {
      const { id, channel } = notification;
      logger.warn({ err: error, id, channel }, 'an attempt could not be made or recorded; it is made again');
    }
  }

  /** What was sent and is not recorded is sent again: so it is tried as long as nobody else may have begun. */
  async function recordBefore(
    deadline: number,
    notification: ReadyNotification,
    outcome: Outcome | Unconfigured,
  ): Promise<void> {
    for (let pause = FIRST_RECORD_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const recorded = await record(notification, outcome, options);
        if (recorded === null) return;
        const { kind, createdAt } = notification;
        const { settlement } = recorded;
        metrics.settled(kind, settlement.kind, 1);
        if (settlement.kind === 'delivered') metrics.told(kind, (settlement.at - createdAt) / 1_000);
        if (settlement.kind === 'failed') {
          const { id, channel, attempts: count } = notification;
          logger.warn({ id, channel, attempts: count, error: settlement.error }, 'a notification has failed');
        }
        return;
      } catch (error) {
        if (performance.now() + pause > deadline) throw error;
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    lookedAt: () => lookedAt,
    async stop() {
      await rounds.stop();
      await Promise.race([
        Promise.allSettled([...attempts]),
        sleep(FINISH_WITHIN_MS, undefined, { ref: false }),
      ]);
    },
  };
}

function nameOf({ organizationId, channel }: QueuedChannel): string {
  return keyOf(organizationId, channel);
}
