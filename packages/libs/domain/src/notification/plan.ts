import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import type { Unconfigured } from '@tidewatch/contracts/notifications/notification';
import type { NoticeDecision } from './decide-notice.ts';
import { type Direction, type EarlierOutcome, isUnderWay } from './owed.ts';
import { wantsEvent } from './wants-event.ts';

export function directionOf(transition: Exclude<Transition, 'digest'>): Direction {
  return transition === 'resolved' ? 'resolution' : 'opening';
}

/** The copy of a channel's data in a notification. `key` is the channel's id, or its kind if that kind has no default. */
export interface ChannelReference {
  key: string;
  kind: ChannelKind;
  id: string | null;
  name: string | null;
}

/** A channel that a rule names. `events` are those that it subscribed to, null for all. */
export interface ChosenChannel extends ChannelReference {
  missing: Unconfigured | null;
  events: readonly EventType[] | null;
  /** When its settings changed last, ms. */
  changedAt: number;
}

/** The outcome of an earlier notice about the same alert. */
export interface EarlierNotice extends EarlierOutcome {
  id: string;
  channel: ChannelReference;
}

export type Decision =
  /** Sends after these queued notifications, so that a channel receives the notices of an alert in order. */
  { kind: 'notify'; waitsFor: string[] } | Exclude<NoticeDecision, { kind: 'notify' }>;

export interface PlannedNotice {
  channel: ChannelReference;
  decision: Decision;
}

/** Plans the notices of a firing, or of a later event of an active alert, as decided for each channel. */
export function planOpening(
  channels: readonly ChosenChannel[],
  earlier: readonly EarlierNotice[],
  decide: (channel: ChosenChannel) => NoticeDecision,
): PlannedNotice[] {
  return channels.map((chosen) => {
    const { missing, events, changedAt, ...channel } = chosen;
    const decision = decide(chosen);
    if (decision.kind !== 'notify') return { channel, decision };
    return { channel, decision: { kind: 'notify', waitsFor: queuedOf(earlier, channel.key) } };
  });
}

/**
 * Plans the notices of a resolution: every channel that was notified of the alert, or is about to be, is notified of its
 * end, whatever has been silenced or edited since. `eventsOf` returns the events that a channel subscribed to, null for
 * all.
 */
export function planResolution(
  earlier: readonly EarlierNotice[],
  eventsOf: (key: string) => readonly EventType[] | null,
): PlannedNotice[] {
  const channels = new Map(earlier.map(({ channel }) => [channel.key, channel]));
  return [...channels.values()].map((channel) => {
    const events = eventsOf(channel.key);
    const ofChannel = earlier.filter((notice) => notice.channel.key === channel.key);
    const notified = ofChannel.some((notice) => notice.direction === 'opening' && isUnderWay(notice));
    if (!notified) return { channel, decision: { kind: 'suppress', reason: 'firing_not_notified' } };
    if (events !== null && !wantsEvent(events, 'alert.resolved'))
      return { channel, decision: { kind: 'suppress', reason: 'not_subscribed' } };
    return { channel, decision: { kind: 'notify', waitsFor: queuedOf(earlier, channel.key) } };
  });
}

function queuedOf(earlier: readonly EarlierNotice[], key: string): string[] {
  const queued = earlier.filter(({ channel, status }) => channel.key === key && status === 'queued');
  return [...new Set(queued.map(({ id }) => id))];
}
