import type { NoticeEvent } from '@tidewatch/contracts/channels/notice-events';
import type { EventType } from '@tidewatch/contracts/events/event-types';

/** The further events that each subscribed event includes, so that subscribers miss no alert. */
const STANDS_FOR: Partial<Record<NoticeEvent, readonly NoticeEvent[]>> = {
  'alert.digest': ['alert.fired', 'alert.resolved'],
  'alert.silence_ended': ['alert.fired', 'alert.escalated'],
};

/**
 * Whether a webhook that subscribed to `events` receives `type`. Digests go to subscribers of firings or resolutions, and
 * the end of a silence to subscribers of firings or escalations.
 */
export function wantsEvent(events: readonly EventType[], type: NoticeEvent): boolean {
  return events.includes(type) || (STANDS_FOR[type] ?? []).some((each) => events.includes(each));
}
