import { setTimeout as sleep } from 'node:timers/promises';
import type { Unconfigured } from '@tidewatch/contracts/notifications/notification';
import { backoffMs } from '@tidewatch/contracts/time/backoff';
import type { Outcome } from '@tidewatch/destinations/notice';
import { waitOf } from '@tidewatch/domain/notification/pacing';
import { type DueChannel, inTurns, standingOf } from '@tidewatch/domain/notification/turns';
import type { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import { PollPause } from '@tidewatch/runtime/process/poll-pause';
import { createRounds } from '@tidewatch/runtime/process/rounds';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type QueuedChannel, readQueuedChannels } from '@tidewatch/store/notifications/claim';
import { keyOf } from '@tidewatch/store/notifications/facts';
import type { NotifierMetrics } from '../notifier-metrics.ts';
import { type AttemptOptions, attempt, record } from './attempt.ts';
import { AttemptPermits, type Permit } from './attempt-permits.ts';
import { claimChannel, LEASE_MS, type ReadyNotification } from './claim-channel.ts';

export interface DeliveryOptions extends AttemptOptions {
  metrics: NotifierMetrics;
  logger: Logger;
  /** How often the queue is polled without a nudge, ms: default 250, and four times as much while it is empty, or 20 times with `commits`. */
  pollEveryMs?: number;
  /** Announces to this process what is committed in it: notifications that somebody sends, and events about those that failed. */
  commits?: CommitSignal | undefined;
}

export interface Delivery {
  start(): void;
  /** Polls the queue at once. */
  nudge(): void;
  /** When the queue was last polled, by the clock; null before the first time and after a failure. */
  polledAt(): number | null;
  /** Claims nothing more, and waits for running attempts. */
  stop(): Promise<void>;
}

const MAX_PAUSE_MS = 5_000;
/** Max number of claims of one poll, so that the next poll sees notifications that were queued meanwhile. */
const MAX_CLAIMS_PER_POLL = 64;
/** How long stopping waits for running attempts, ms; another notifier repeats those that take longer. */
const STOP_GRACE_PERIOD_MS = 5_000;
const RECORD_BACKOFF = { minMs: 100, maxMs: MAX_PAUSE_MS };

/**
 * Delivers queued notifications, one channel of each organization in turn. Several processes may deliver at once: each
 * claims what it sends, and all share the pace of a channel.
 */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { sql, clock, metrics, logger } = options;
  const pollEveryMs = options.pollEveryMs ?? 250;
  const { commits } = options;
  const pause = new PollPause({
    everyMs: pollEveryMs,
    atRestMs: (commits === undefined ? 4 : 20) * pollEveryMs,
  });
  const permits = new AttemptPermits();
  const attempts = new Set<Promise<void>>();
  /** By channel, the number of the poll in which it was due but had nothing to claim. */
  const blocked = new Map<string, number>();
  let polls = 0;
  let servedLast: string | null = null;
  let polledAt: number | null = null;
  const rounds = createRounds({
    async round() {
      const next = await poll();
      return next - clock();
    },
    onFailure(error) {
      polledAt = null;
      logger.warn({ err: error }, 'the queue of notifications cannot be read; retrying');
    },
    minPauseMs: pollEveryMs,
    maxPauseMs: MAX_PAUSE_MS,
    random: options.random,
  });

  commits?.onCommit(rounds.nudge);

  /** Polls the queue once. Returns when to poll again, ms by the clock. */
  async function poll(): Promise<number> {
    const now = clock();
    const channels = await readQueuedChannels(sql, now);
    polledAt = now;
    polls += 1;
    const queued = new Set(channels.map(nameOf));
    for (const name of blocked.keys()) if (!queued.has(name)) blocked.delete(name);
    const due: (QueuedChannel & DueChannel)[] = [];
    let next = now + pause.after(channels.length > 0, now);
    for (const channel of channels) {
      const { pace, kind } = channel;
      const from = Math.max(channel.dueAt, now + (pace === null ? 0 : waitOf(pace, kind, now)));
      if (from > now) next = Math.min(next, from);
      else due.push({ ...channel, standing: standingOf(pace), blockedIn: blocked.get(nameOf(channel)) ?? 0 });
    }
    let claims = 0;
    // Claims one after the other, since each claim takes permits.
    for (const channel of inTurns(due, servedLast)) {
      if (claims === MAX_CLAIMS_PER_POLL) return now;
      const again = await claim(channel);
      if (again === null) continue;
      claims += 1;
      next = Math.min(next, again);
    }
    return next;
  }

  /** Returns when to poll again, ms by the clock; null without a free permit, whose release polls again. */
  async function claim(channel: QueuedChannel & DueChannel): Promise<number | null> {
    const { organizationId, kind, standing } = channel;
    const name = nameOf(channel);
    if (rounds.isStopped()) return null;
    const taken = permits.take(organizationId, name, standing);
    if (taken.length === 0) return null;
    servedLast = organizationId;
    try {
      const now = clock();
      const claimed = await claimChannel(sql, channel, taken.length, now);
      if (claimed.suppressed > 0) metrics.settled(kind, 'suppressed', claimed.suppressed);
      for (const notification of claimed.ready) begin(name, notification, taken.pop());
      if (claimed.blocked) blocked.set(name, polls);
      else blocked.delete(name);
      // In a blocked channel each due notification waits for another one or is being claimed by another process. It is
      // tried again after an attempt has ended or at the next regular poll.
      return claimed.blocked ? Number.POSITIVE_INFINITY : now + claimed.waitMs;
    } finally {
      for (const permit of taken) permit.release();
    }
  }

  function begin(name: string, notification: ReadyNotification, permit: Permit | undefined): void {
    if (notification.repeated) {
      metrics.repeated();
      const { id, channel, attempts: count } = notification;
      logger.warn(
        { id, channel, attempts: count },
        'repeating an attempt whose outcome was not recorded; the receiver may get it twice',
      );
    }
    const work = deliver(notification).finally(() => {
      attempts.delete(work);
      blocked.delete(name);
      permit?.release();
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
      logger.warn(
        { err: error, id, channel },
        'an attempt failed before its outcome was recorded; retrying after its lease expires',
      );
    }
  }

  /** Retries to record an outcome until the claim expires: an attempt without recorded outcome is sent again. */
  async function recordBefore(
    deadline: number,
    notification: ReadyNotification,
    outcome: Outcome | Unconfigured,
  ): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        const recorded = await record(notification, outcome, options);
        if (recorded === null) return;
        const { kind, createdAt } = notification;
        const { settlement } = recorded;
        metrics.settled(kind, settlement.kind, 1);
        if (settlement.kind === 'delivered') metrics.delayed(kind, (settlement.at - createdAt) / 1_000);
        if (settlement.kind === 'failed') {
          commits?.emit();
          const { id, channel, attempts: count } = notification;
          logger.warn(
            { id, channel, attempts: count, error: settlement.error },
            'a notification failed and is not retried',
          );
        }
        return;
      } catch (error) {
        const pause = backoffMs(failures, RECORD_BACKOFF, 1);
        if (performance.now() + pause > deadline) throw error;
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  return {
    start: rounds.start,
    nudge: rounds.nudge,
    polledAt: () => polledAt,
    async stop() {
      await rounds.stop();
      await Promise.race([
        Promise.allSettled([...attempts]),
        sleep(STOP_GRACE_PERIOD_MS, undefined, { ref: false }),
      ]);
    },
  };
}

function nameOf({ organizationId, channel }: QueuedChannel): string {
  return keyOf(organizationId, channel);
}
