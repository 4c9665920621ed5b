import type { NoticeEvent } from '@tidewatch/contracts/channels/notice-events';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import type { Transaction } from '@tidewatch/database/connection';
import { chooseChannels, type KnownChannel } from '@tidewatch/domain/notification/choose-channels';
import {
  decideNotice,
  isPassing,
  type NoticeDecision,
  OFFLINE_METRIC,
  type PassingReason,
} from '@tidewatch/domain/notification/decide-notice';
import { type FlappingStream, flappingOn } from '@tidewatch/domain/notification/flapping';
import { isOwed, isUnderWay } from '@tidewatch/domain/notification/owed';
import type { ChosenChannel } from '@tidewatch/domain/notification/plan';
import { wantsEvent } from '@tidewatch/domain/notification/wants-event';
import {
  keyOf,
  type NotifiedAlert,
  type RecordedNotice,
  readEarlier,
  readFlapping,
  readOfflineAlerts,
  readRuleChannels,
  readServiceTags,
  type StreamKey,
  streamKeyOf,
} from '@tidewatch/store/notifications/facts';
import { readRevisions } from '@tidewatch/store/revisions/revisions';
import type { SilenceSet } from '@tidewatch/store/silences/silence-set';
import type { PlanningOptions } from './planning-options.ts';

/** The event of which channels are about to be notified. */
export interface Occasion {
  /** The type of the event; null if the subscriptions of the channel do not matter. */
  type: NoticeEvent | null;
  ageMs: number;
}

/** An occasion for which neither type nor age of an event matters. */
const ANY: Occasion = { type: null, ageMs: 0 };
/** Stands for the channels of a rule without channels, so that events are emitted nevertheless. */
const NO_CHANNEL: ChosenChannel = {
  key: '',
  kind: 'webhook',
  id: null,
  name: null,
  missing: null,
  events: null,
  changedAt: 0,
};

export const keyOfAlert = ({ organizationId, id }: { organizationId: string; id: string }) =>
  keyOf(organizationId, id);

export function streamOf({ organizationId, ruleId, serviceId, subject }: NotifiedAlert): StreamKey {
  return { organizationId, ruleId, serviceId, subject };
}

/** The facts on which notices of some alerts depend, read in a transaction and updated by the transaction's own notices. */
export class NoticeFacts {
  readonly #channels = new Map<string, ChosenChannel[]>();
  readonly #known: Map<string, KnownChannel[]>;
  readonly #earlier: Map<string, RecordedNotice[]>;
  readonly #offline: Map<string, NotifiedAlert[]>;
  readonly #streams: Map<string, FlappingStream>;
  readonly #tags: Map<string, Record<string, string>>;
  readonly #silences: SilenceSet;
  readonly #now: number;

  /** Reads in `tx` the facts about the alerts and their hosts; `now` in ms. */
  static async read(
    tx: Transaction,
    alerts: readonly NotifiedAlert[],
    now: number,
    { readChannels, silences }: PlanningOptions,
  ): Promise<NoticeFacts> {
    await silences.refresh(tx, (await readRevisions(tx)).silences, now);
    const services = alerts.map(({ organizationId, serviceId: id }) => ({ organizationId, id }));
    const offline = await readOfflineAlerts(tx, services);
    const all = [...alerts, ...offline];
    const named = await readRuleChannels(
      tx,
      all.map(({ organizationId, ruleId: id }) => ({ organizationId, id })),
    );
    const earlier = await readEarlier(tx, all);
    const streams = await readFlapping(tx, all.map(streamOf));
    const silenced = new Set([...silences.active.values()].map(({ organizationId }) => organizationId));
    const tags = await readServiceTags(
      tx,
      services.filter(({ organizationId }) => silenced.has(organizationId)),
    );
    const ids = new Set([
      ...[...named.values()].flat(),
      ...[...earlier.values()].flat().map(({ channel }) => channel.key),
    ]);
    const organizations = [...new Set(all.map(({ organizationId }) => organizationId))];
    const known = await readChannels(tx, organizations, [...ids]);
    return new NoticeFacts({ named, known, earlier, offline, streams, tags, silences, now });
  }

  private constructor(read: {
    named: Map<string, string[]>;
    known: Map<string, KnownChannel[]>;
    earlier: Map<string, RecordedNotice[]>;
    offline: readonly NotifiedAlert[];
    streams: Map<string, FlappingStream>;
    tags: Map<string, Record<string, string>>;
    silences: SilenceSet;
    now: number;
  }) {
    for (const [rule, names] of read.named) {
      const [organizationId = ''] = rule.split('\u001f');
      this.#channels.set(rule, chooseChannels(names, read.known.get(organizationId) ?? []));
    }
    this.#known = read.known;
    this.#earlier = read.earlier;
    this.#offline = Map.groupBy(read.offline, hostOf);
    this.#streams = read.streams;
    this.#tags = read.tags;
    this.#silences = read.silences;
    this.#now = read.now;
  }

  /** The channels that the alert's rule names at present. */
  channelsOf({ organizationId, ruleId }: NotifiedAlert): readonly ChosenChannel[] {
    return this.#channels.get(keyOf(organizationId, ruleId)) ?? [];
  }

  /** The event types that a channel subscribed to, null for all. */
  eventsOf(organizationId: string, channel: string): readonly EventType[] | null {
    return this.#known.get(organizationId)?.find(({ id }) => id === channel)?.events ?? null;
  }

  /** The earlier notices of the alert, oldest first. */
  earlierOf(alert: NotifiedAlert): readonly RecordedNotice[] {
    return this.#earlier.get(keyOfAlert(alert)) ?? [];
  }

  /** Adds notices that this transaction has planned. */
  add(alert: NotifiedAlert, notices: readonly RecordedNotice[]): void {
    this.#earlier.set(keyOfAlert(alert), [...this.earlierOf(alert), ...notices]);
  }

  streamOf(alert: NotifiedAlert): FlappingStream | null {
    return this.#streams.get(streamKeyOf(streamOf(alert))) ?? null;
  }

  setStream(alert: NotifiedAlert, stream: FlappingStream | null): void {
    if (stream === null) this.#streams.delete(streamKeyOf(streamOf(alert)));
    else this.#streams.set(streamKeyOf(streamOf(alert)), stream);
  }

  /** Decides whether the channel is notified of the alert on this occasion. */
  decide(alert: NotifiedAlert, channel: ChosenChannel, { type, ageMs }: Occasion = ANY): NoticeDecision {
    const { missing, events } = channel;
    const flapping = flappingOn(this.streamOf(alert), channel.key, this.#now);
    return decideNotice({
      alert,
      flapping,
      ageMs,
      silenced: this.isSilenced(alert),
      offlineNotified: this.#isNotifiedOffline(alert, channel),
      channel: { missing, subscribed: type === null || events === null || wantsEvent(events, type) },
    });
  }

  /** The channels that still have to be notified of the alert, with the decision about each. */
  owed(
    alert: NotifiedAlert,
    occasion: Occasion = ANY,
  ): { channel: ChosenChannel; decision: NoticeDecision }[] {
    const channels = this.channelsOf(alert);
    return (channels.length === 0 ? [NO_CHANNEL] : channels)
      .filter(({ key, changedAt }) => isOwed(this.#onChannel(alert, key), alert.severity, changedAt))
      .map((channel) => ({ channel, decision: this.decide(alert, channel, occasion) }));
  }

  /** The temporary reasons for which channels that have to be notified of the alert are not notified now. */
  withheld(alert: NotifiedAlert): PassingReason[] {
    const reasons = this.owed(alert).map(({ decision }) =>
      decision.kind === 'suppress' && isPassing(decision.reason) ? decision.reason : null,
    );
    return [...new Set(reasons)].filter((reason) => reason !== null);
  }

  /** Whether the channel has an earlier notice of the alert that was delivered or is queued. */
  hadNotice(alert: NotifiedAlert, channel: string): boolean {
    return this.#onChannel(alert, channel).some(
      (notice) => notice.direction === 'opening' && isUnderWay(notice),
    );
  }

  #onChannel(alert: NotifiedAlert, channel: string): RecordedNotice[] {
    return this.earlierOf(alert).filter((notice) => notice.channel.key === channel);
  }

  /**
   * Whether a silence matches the alert now. Uses the silence on the alert too, because the tags of the sample that fired
   * may be stored later than the alert.
   */
  isSilenced({ organizationId, host, serviceId, silencedBy, ...alert }: NotifiedAlert): boolean {
    const known = silencedBy === null ? undefined : this.#silences.active.get(silencedBy);
    if (known?.organizationId === organizationId && known.matchesAlert(alert)) return true;
    const tags = this.#tags.get(keyOf(organizationId, serviceId)) ?? {};
    return this.#silences.muting({ organizationId, host, tags }, alert) !== null;
  }

  /**
   * Whether the channel was or will be notified that the host is offline, including a notice that is still to be planned.
   */
  #isNotifiedOffline(alert: NotifiedAlert, { key }: ChosenChannel): boolean {
    if (alert.metric === OFFLINE_METRIC) return false;
    return (this.#offline.get(hostOf(alert)) ?? []).some((offline) => {
      if (this.hadNotice(offline, key)) return true;
      if (this.earlierOf(offline).length > 0) return false;
      const channel = this.channelsOf(offline).find((each) => each.key === key);
      const occasion: Occasion = { type: 'alert.fired', ageMs: 0 };
      return channel !== undefined && this.decide(offline, channel, occasion).kind === 'notify';
    });
  }
}

function hostOf({ organizationId, serviceId }: NotifiedAlert): string {
  return keyOf(organizationId, serviceId);
}
