import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { admit, newPace, waitOf } from '@tidewatch/domain/notification/pacing';
import {
  type ClaimedNotification,
  claimNotifications,
  closeDigest,
  endGathering,
  type QueuedChannel,
  readGathered,
} from '@tidewatch/store/notifications/claim';
import { lockPace, writePace } from '@tidewatch/store/notifications/pace';
import { settle } from '@tidewatch/store/notifications/settle';
import { messageOf } from './digest.ts';

/** How long a claim lasts, ms; then any notifier may repeat an attempt whose outcome was not recorded. */
export const LEASE_MS = 30_000;
/** A claimed notification with the event to send. */
export type ReadyNotification = ClaimedNotification & { event: NonNullable<ClaimedNotification['event']> };

export interface Claimed {
  ready: ReadyNotification[];
  /** The number of resolutions that were suppressed because the channel was not notified of the firing. */
  suppressed: number;
  /** How long the pace of the channel allows no claim, ms. */
  waitMs: number;
  /** Whether every due notification waits for another one or is being claimed by another process. */
  blocked: boolean;
}

/** Claims at most `free` notifications of a channel, within its rate and while its circuit breaker admits them. */
export function claimChannel(sql: Sql, queued: QueuedChannel, free: number, now: number): Promise<Claimed> {
  return transact(sql, async (tx) => {
    const { kind } = queued;
    const pace = await lockPace(tx, queued, newPace(kind, now), true);
    if (pace === null) return { ready: [], suppressed: 0, waitMs: 0, blocked: true };
    const { count } = admit(pace, kind, now, free);
    if (count === 0) return { ready: [], suppressed: 0, waitMs: waitOf(pace, kind, now), blocked: false };
    const claimed = await claimNotifications(tx, queued, { count, now, leaseUntil: now + LEASE_MS });
    const ready: ReadyNotification[] = [];
    for (const notification of claimed) {
      const prepared = await prepare(tx, notification, now);
      if (prepared !== null) ready.push(prepared);
      else await settle(tx, notification, { kind: 'suppressed', reason: 'firing_not_notified' });
    }
    const after = admit(pace, kind, now, ready.length).pace;
    if (ready.length > 0) await writePace(tx, queued, after);
    const suppressed = claimed.length - ready.length;
    return { ready, suppressed, waitMs: waitOf(after, kind, now), blocked: claimed.length === 0 };
  });
}

/** Prepares a claimed notification, and closes a digest whose window has ended; null if there is nothing to send. */
async function prepare(
  tx: Transaction,
  notification: ClaimedNotification,
  now: number,
): Promise<ReadyNotification | null> {
  const { event, organizationId, id, direction, forced, notifiedBefore } = notification;
  const onlyNotified = direction === 'resolution' && !forced;
  if (event !== null) return onlyNotified && !notifiedBefore ? null : { ...notification, event };
  const gathered = await readGathered(tx, organizationId, id);
  const message = messageOf(
    onlyNotified ? gathered.filter((each) => each.notifiedBefore) : gathered,
    notification,
    now,
  );
  if (message === null) {
    await endGathering(tx, notification);
    return null;
  }
  await closeDigest(tx, notification, message);
  const { transition, eventId } = message;
  return { ...notification, transition, eventId, event: message.event as ReadyNotification['event'] };
}
