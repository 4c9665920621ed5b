import { admit, newPace, waitOf } from '@tidewatch/domain/notification/pacing';
import { type Sql, type Transaction, transact } from '@tidewatch/store/database/connection';
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

/** An attempt is made and recorded within this; what is not may be begun again by anybody. */
export const LEASE_MS = 30_000;
/** A notification that is claimed, with what is sent. */
export type ReadyNotification = ClaimedNotification & { event: NonNullable<ClaimedNotification['event']> };

export interface Claimed {
  ready: ReadyNotification[];
  /** How many were left out, since the firing that they end was not told. */
  suppressed: number;
  /** For how long the channel's pace lets nothing be claimed, ms. */
  restMs: number;
  /** Everything that is due waits for something else, or another process is claiming it. */
  blocked: boolean;
}

/** Claims what may be sent to a channel now, at most `free`, within its rate and while its breaker lets it. */
export function claimChannel(sql: Sql, queued: QueuedChannel, free: number, now: number): Promise<Claimed> {
  return transact(sql, async (tx) => {
    const { kind } = queued;
    const pace = await lockPace(tx, queued, newPace(kind, now), true);
    if (pace === null) return { ready: [], suppressed: 0, restMs: 0, blocked: true };
    const { count } = admit(pace, kind, now, free);
    if (count === 0) return { ready: [], suppressed: 0, restMs: waitOf(pace, kind, now), blocked: false };
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
    return { ready, suppressed, restMs: waitOf(after, kind, now), blocked: claimed.length === 0 };
  });
}

/** Closes a digest that has gathered; null where nothing of the notification is to be told. */
async function prepare(
  tx: Transaction,
  notification: ClaimedNotification,
  now: number,
): Promise<ReadyNotification | null> {
  const { event, organizationId, id, direction, forced, notifiedBefore } = notification;
  const untold = direction === 'resolution' && !forced;
  if (event !== null) return untold && !notifiedBefore ? null : { ...notification, event };
  const gathered = await readGathered(tx, organizationId, id);
  const message = messageOf(
    untold ? gathered.filter((each) => each.notifiedBefore) : gathered,
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
