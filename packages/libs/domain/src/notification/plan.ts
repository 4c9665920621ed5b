import type { NoticeEvent, Transition } from '@tidewatch/contracts/channels/channel-config';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import type {
  NotificationStatus,
  Suppression,
  Unconfigured,
} from '@tidewatch/contracts/notifications/notification';
import type { ChannelKind } from '@tidewatch/contracts/rules/rule';
import { wantsEvent } from './wants-event.ts';

/** An opening tells that an alert goes on, a resolution that it has ended. */
export type Direction = 'opening' | 'resolution';

export function directionOf(transition: Exclude<Transition, 'digest'>): Direction {
  return transition === 'resolved' ? 'resolution' : 'opening';
}

/** What a notification remembers of its channel. `key` is the channel's id, or the kind where that has no default. */
export interface ChannelReference {
  key: string;
  kind: ChannelKind;
  id: string | null;
  name: string | null;
}

/** A channel as a rule names it. `events`: what it is told of, null for everything. */
export interface ChosenChannel extends ChannelReference {
  missing: Unconfigured | null;
  events: readonly EventType[] | null;
}

/** What became of an earlier notice about the same alert. */
export interface EarlierNotice {
  id: string;
  channel: ChannelReference;
  direction: Direction;
  status: NotificationStatus;
}

export type Decision =
  /** After these notifications, which are queued still, so that a channel hears of an alert in order. */
  | { kind: 'tell'; waitsFor: string[] }
  | { kind: 'suppress'; reason: Suppression }
  | { kind: 'not_configured'; reason: Unconfigured };

export interface PlannedNotice {
  channel: ChannelReference;
  decision: Decision;
}

/** The notices of a firing, or of what comes after it while it lasts: one for each channel that the rule names. */
export function planOpening(
  transition: Transition,
  channels: readonly ChosenChannel[],
  earlier: readonly EarlierNotice[],
  suppression: Suppression | null,
): PlannedNotice[] {
  const event: NoticeEvent = `alert.${transition}`;
  return channels.map(({ missing, events, ...channel }) => {
    if (suppression !== null) return { channel, decision: { kind: 'suppress', reason: suppression } };
    if (missing !== null) return { channel, decision: { kind: 'not_configured', reason: missing } };
    if (events !== null && !wantsEvent(events, event))
      return { channel, decision: { kind: 'suppress', reason: 'not_subscribed' } };
    return { channel, decision: { kind: 'tell', waitsFor: queuedOf(earlier, channel.key) } };
  });
}

/**
 * The notices of a resolution: every channel that heard of the alert, or is about to, hears of its end, whatever is
 * silenced or edited since; the others do not. `eventsOf` answers what a channel is told of, null for everything.
 */
export function planResolution(
  earlier: readonly EarlierNotice[],
  eventsOf: (key: string) => readonly EventType[] | null,
): PlannedNotice[] {
  const channels = new Map(earlier.map(({ channel }) => [channel.key, channel]));
  return [...channels.values()].map((channel) => {
    const events = eventsOf(channel.key);
    const told = earlier.some((notice) => notice.channel.key === channel.key && mayBeTold(notice));
    if (!told) return { channel, decision: { kind: 'suppress', reason: 'firing_not_told' } };
    if (events !== null && !wantsEvent(events, 'alert.resolved'))
      return { channel, decision: { kind: 'suppress', reason: 'not_subscribed' } };
    return { channel, decision: { kind: 'tell', waitsFor: queuedOf(earlier, channel.key) } };
  });
}

function mayBeTold({ direction, status }: EarlierNotice): boolean {
  return direction === 'opening' && (status === 'queued' || status === 'delivered');
}

function queuedOf(earlier: readonly EarlierNotice[], key: string): string[] {
  const queued = earlier.filter(({ channel, status }) => channel.key === key && status === 'queued');
  return [...new Set(queued.map(({ id }) => id))];
}
