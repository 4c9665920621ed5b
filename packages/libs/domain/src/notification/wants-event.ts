import type { NoticeEvent } from '@tidewatch/contracts/channels/notice-events';
import type { EventType } from '@tidewatch/contracts/events/event-types';

/** The events that each subscription includes, without which its subscriber would miss alerts. */
const STANDS_FOR: Partial<Record<NoticeEvent, readonly NoticeEvent[]>> = {
  'alert.digest': ['alert.fired', 'alert.resolved'],
  'alert.silence_ended': ['alert.fired', 'alert.escalated'],
};

/**
 * Whether a webhook that subscribed to `events` receives `type`. A digest is many firings or resolutions in one, and the
 * end of a silence is a firing or a rise that was held back: they go to whoever asked for those.
 */
export function wantsEvent(events: readonly EventType[], type: NoticeEvent): boolean {
  return events.includes(type) || (STANDS_FOR[type] ?? []).some((each) => events.includes(each));
}
