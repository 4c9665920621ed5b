import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import { cloudEvent } from '@tidewatch/contracts/events/event';
import { toIso } from '@tidewatch/contracts/time/time';
import type { GatheredAlert } from '@tidewatch/store/notifications/claim';

export interface Message {
  eventId: string;
  transition: Transition;
  event: object;
}

/**
 * Builds one message of the collected events: a digest with the newest record of each alert, or the event itself if there
 * is only one alert. Returns null without events. `now` in ms.
 */
export function messageOf(
  gathered: readonly GatheredAlert[],
  of: { organizationId: string; eventId: string },
  now: number,
): Message | null {
  const newest = [...new Map(gathered.map(({ alertId, event }) => [alertId, event])).values()];
  const [first] = newest;
  if (first === undefined) return null;
  if (newest.length === 1)
    return {
      eventId: first.id,
      transition: first.type.slice('alert.'.length) as Transition,
      event: first,
    };
  const event = cloudEvent({
    id: of.eventId,
    organizationId: of.organizationId,
    type: 'alert.digest',
    subject: first.data.rule.id,
    time: toIso(now),
    data: { alerts: newest.map(({ data }) => data.alert), rule: first.data.rule },
  });
  return { eventId: of.eventId, transition: 'digest', event };
}
