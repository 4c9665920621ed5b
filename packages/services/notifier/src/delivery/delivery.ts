import { setTimeout as sleep } from 'node:timers/promises';
import type { Unconfigured } from '@tidewatch/contracts/notifications/notification';
import type { Outcome } from '@tidewatch/destinations/notice';
import { waitOf } from '@tidewatch/domain/notification/pacing';
import { type DueChannel, inTurns, standingOf } from '@tidewatch/domain/notification/turns';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type QueuedChannel, readQueuedChannels } from '@tidewatch/store/notifications/claim';
import { keyOf } from '@tidewatch/store/notifications/facts';
import type { NotifierMetrics } from '../notifier-metrics.ts';
import { type AttemptOptions, attempt, record } from './attempt.ts';
import { type Place, Places } from './attempt-permits.ts';
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

const MAX_PAUSE_MS = 5_000;
/** Claims of one look through the queue: what has come meanwhile is seen by the next. */
const MAX_CLAIMS_OF_LOOK = 64;
/** What is under way at the end may take so long; what takes longer is begun again by whoever comes next. */
const FINISH_WITHIN_MS = 5_000;
const FIRST_RECORD_PAUSE_MS = 100;

/**
 * Sends what is queued, one channel of each organization in turn. Every process may: each claims what it sends, and the rate
 * of a channel holds for all together.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { sql, clock, metrics, logger } = options;
  const pollEveryMs = options.pollEveryMs ?? 250;
  const places = new Places();
  const attempts = new Set<Promise<void>>();
  /** The number of the look that last found nothing to claim of a channel though it was due. */
  const blocked = new Map<string, number>();
  let looks = 0;
  let servedLast: string | null = null;
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
    shortestPauseMs: pollEveryMs,
    longestPauseMs: MAX_PAUSE_MS,
    random: options.random,
  });

  /** Looks through the queue once; answers when to look again, ms by the clock. */
  async function look(): Promise<number> {
    const now = clock();
    const channels = await readQueuedChannels(sql, now);
    lookedAt = now;
    looks += 1;
    const queued = new Set(channels.map(nameOf));
    for (const name of blocked.keys()) if (!queued.has(name)) blocked.delete(name);
    const due: (QueuedChannel & DueChannel)[] = [];
    let next = now + pollEveryMs;
    for (const channel of channels) {
      const { pace, kind } = channel;
      const from = Math.max(channel.dueAt, now + (pace === null ? 0 : waitOf(pace, kind, now)));
      if (from > now) next = Math.min(next, from);
      else due.push({ ...channel, standing: standingOf(pace), blockedIn: blocked.get(nameOf(channel)) ?? 0 });
    }
    let claims = 0;
    // What a claim finds decides how much room there is for the next.
    for (const channel of inTurns(due, servedLast)) {
      if (claims === MAX_CLAIMS_OF_LOOK) return now;
      const again = await claim(channel);
      if (again === null) continue;
      claims += 1;
      next = Math.min(next, again);
    }
    return next;
  }

  /** Answers when to look again, ms by the clock; null where there is no place, whose release is a nudge. */
  async function claim(channel: QueuedChannel & DueChannel): Promise<number | null> {
    const { organizationId, kind, standing } = channel;
    const name = nameOf(channel);
    if (rounds.isStopped()) return null;
    const taken = places.take(organizationId, name, standing);
    if (taken.length === 0) return null;
    servedLast = organizationId;
    try {
      const now = clock();
      const claimed = await claimChannel(sql, channel, taken.length, now);
      if (claimed.suppressed > 0) metrics.settled(kind, 'suppressed', claimed.suppressed);
      for (const notification of claimed.ready) begin(name, notification, taken.pop());
      if (claimed.blocked) blocked.set(name, looks);
      else blocked.delete(name);
      // What is blocked is looked at at the next nudge, or at the next turn.
      return claimed.blocked ? Number.POSITIVE_INFINITY : now + claimed.restMs;
    } finally {
      for (const place of taken) place.release();
    }
  }

  function begin(name: string, notification: ReadyNotification, place: Place | undefined): void {
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
      blocked.delete(name);
      place?.release();
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
    for (let pause = FIRST_RECORD_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
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
