import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import type { Unconfigured } from '@tidewatch/contracts/notifications/notification';
import { toIso } from '@tidewatch/contracts/time/time';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import { type Sql, transact } from '@tidewatch/database/connection';
import type { Destination, Notice, Outcome } from '@tidewatch/destinations/notice';
import type { Sender } from '@tidewatch/destinations/sender';
import { answered, failed, newPace, type Pace } from '@tidewatch/domain/notification/pacing';
import { boundedRetryAfter, retryAt } from '@tidewatch/domain/notification/retry';
import { recordDelivery } from '@tidewatch/store/channels/deliveries';
import { lockPace, writePace } from '@tidewatch/store/notifications/pace';
import { type NotificationRow, notificationRecord } from '@tidewatch/store/notifications/row';
import { type Settlement, settle } from '@tidewatch/store/notifications/settle';
import { appendEvents } from '@tidewatch/store/outbox/append';
import type { ReadyNotification } from './claim-channel.ts';

export interface AttemptOptions {
  sql: Sql;
  clock: () => number;
  /** Returns a random number in [0, 1), used for the jitter of retries. */
  random: () => number;
  newId: (prefix: IdPrefix) => string;
  sender: Pick<Sender, 'send'>;
  /** Returns a channel with its secrets, or why it cannot be used. */
  readDestination(organizationId: string, channelId: string): Promise<Destination | Unconfigured>;
}

/**
 * The time limit of an attempt in addition to the sender's own of ten seconds, so that its permit is released in any case.
 */
const ATTEMPT_TIMEOUT_MS = 15_000;

/** Sends a claimed notification once and returns the outcome. */
export async function attempt(
  notification: ReadyNotification,
  options: AttemptOptions,
): Promise<Outcome | Unconfigured> {
  const { organizationId, channelId, transition, event, reference } = notification;
  const destination = await options.readDestination(organizationId, channelId);
  if (typeof destination === 'string') return destination;
  const data = event.data as { alert?: Alert; alerts?: Alert[] };
  const alerts = data.alerts ?? (data.alert ? [data.alert] : []);
  const notice: Notice = { transition, event: event as unknown as Event, alerts };
  const timeout = new AbortController();
  const outcome: Outcome = {
    status: 'failed',
    retryable: true,
    retryAfterMs: null,
    error: `it did not answer within ${ATTEMPT_TIMEOUT_MS / 1_000} seconds`,
  };
  try {
    return await Promise.race([
      options.sender.send(destination, notice, reference),
      sleep(ATTEMPT_TIMEOUT_MS, outcome, { signal: timeout.signal, ref: false }),
    ]);
  } finally {
    timeout.abort();
  }
}

/**
 * Records the outcome of an attempt and the pace of its destination, and emits an event if the attempt failed for good.
 * Returns null if another process has begun a later attempt.
 */
export function record(
  notification: ReadyNotification,
  outcome: Outcome | Unconfigured,
  options: AttemptOptions,
): Promise<{ settlement: Settlement; pace: Pace | null } | null> {
  const { sql, clock } = options;
  const now = clock();
  const settlement = settlementOf(notification, outcome, now, options.random());
  return transact(sql, async (tx) => {
    let pace: Pace | null = null;
    if (typeof outcome !== 'string') {
      const before = await lockPace(tx, notification, newPace(notification.kind, now), false);
      if (before !== null) {
        pace = paceAfter(before, outcome, now);
        await writePace(tx, notification, pace);
      }
      const { organizationId, channelId } = notification;
      const error = outcome.status === 'failed' ? outcome.error : null;
      await recordDelivery(tx, { organizationId, channelId, status: outcome.status, at: now, error });
    }
    const row = await settle(tx, notification, settlement);
    if (row === null) return null;
    // The failure to deliver a `notification.failed` event emits no event, or two broken receivers would produce events
    // endlessly.
    const ofFailure = notification.event.type === 'notification.failed';
    if (settlement.kind === 'failed' && !ofFailure)
      await appendEvents(tx, [failedEvent(notification.organizationId, row, options.newId('evt'), now)]);
    return { settlement, pace };
  });
}

function settlementOf(
  notification: ReadyNotification,
  outcome: Outcome | Unconfigured,
  now: number,
  random: number,
): Settlement {
  if (typeof outcome === 'string') return { kind: 'not_configured', reason: outcome };
  if (outcome.status === 'delivered') return { kind: 'delivered', reference: outcome.reference, at: now };
  const { error, retryable, retryAfterMs } = outcome;
  const { attempts, giveUpAt } = notification;
  const at = retryable ? retryAt(attempts, now, giveUpAt, retryAfterMs, random) : null;
  return at === null ? { kind: 'failed', error } : { kind: 'retry', error, at };
}

function paceAfter(pace: Pace, outcome: Outcome, now: number): Pace {
  return outcome.status === 'failed' && outcome.retryable
    ? failed(pace, now, boundedRetryAfter(outcome.retryAfterMs))
    : answered(pace, now);
}

function failedEvent(organizationId: string, row: NotificationRow, id: string, now: number) {
  const event = cloudEvent({
    id,
    organizationId,
    type: 'notification.failed' as const,
    subject: row.id,
    time: toIso(now),
    data: { notification: notificationRecord(row) },
  });
  return { organizationId, event };
}
