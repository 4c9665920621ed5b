import type { Transaction } from '@tidewatch/database/connection';
import type { KnownChannel } from '@tidewatch/domain/notification/choose-channels';
import { MAX_NOTICE_AGE_MS } from '@tidewatch/domain/notification/decide-notice';
import { EVENT_PRIORITY } from '@tidewatch/domain/notification/priority';
import { insertNotifications, type NewNotification } from '@tidewatch/store/notifications/write-plan';
import type { PlanningOptions } from './planning-options.ts';
import type { SubscribedEvent } from './subscribed-event.ts';

/**
 * Queues in `tx` each event for the webhooks of its organization that subscribed to its type, and returns the number of
 * notifications. An event that was planned before has no effect.
 */
export async function planSubscriptions(
  tx: Transaction,
  events: readonly SubscribedEvent[],
  now: number,
  { newId, readChannels }: PlanningOptions,
): Promise<number> {
  if (events.length === 0) return 0;
  const organizations = [...new Set(events.map(({ organizationId }) => organizationId))];
  const known = await readChannels(tx, organizations, []);
  const queued = events.flatMap((event) => {
    const subscribers = (known.get(event.organizationId) ?? []).filter((channel) =>
      isSubscribed(channel, event),
    );
    return subscribers.map((channel): NewNotification => {
      const { id, kind, name } = channel;
      return {
        organizationId: event.organizationId,
        id: newId('ntf'),
        eventId: event.id,
        ruleId: null,
        transition: 'event',
        direction: 'opening',
        channel: { key: id, kind, id, name },
        status: 'queued',
        reason: null,
        event: event.event,
        waitsFor: [],
        priority: EVENT_PRIORITY,
        nextAttemptAt: now,
        giveUpAt: now + MAX_NOTICE_AGE_MS,
        createdAt: now,
      };
    });
  });
  return insertNotifications(tx, queued, []);
}

function isSubscribed({ kind, state, events }: KnownChannel, { type }: SubscribedEvent): boolean {
  return kind === 'webhook' && state === 'enabled' && (events?.includes(type) ?? false);
}
