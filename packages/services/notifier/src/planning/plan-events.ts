import type { Suppression } from '@tidewatch/contracts/notifications/notification';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import { chooseChannels, type KnownChannel } from '@tidewatch/domain/notification/choose-channels';
import { flap } from '@tidewatch/domain/notification/flapping';
import type { NoticeWindow } from '@tidewatch/domain/notification/grouping';
import { GROUPED_FOR_MS, place } from '@tidewatch/domain/notification/grouping';
import {
  type ChosenChannel,
  directionOf,
  type PlannedNotice,
  planOpening,
  planResolution,
} from '@tidewatch/domain/notification/plan';
import { PASSING, suppressionOf, TOLD_WITHIN_MS } from '@tidewatch/domain/notification/suppression';
import type { Transaction } from '@tidewatch/store/connection';
import {
  keyOf,
  type OwnedId,
  type RecordedNotice,
  readEarlier,
  readFlapping,
  readOffline,
  readRuleChannels,
  type StreamKey,
  streamKeyOf,
} from '@tidewatch/store/notifications/facts';
import {
  lockWindows,
  type WindowKey,
  windowKeyOf,
  writeWindows,
} from '@tidewatch/store/notifications/windows';
import {
  type AlertTelling,
  addWaits,
  insertNotifications,
  type NewNotification,
  type NotificationAlert,
  writeFlapping,
  writeTellings,
} from '@tidewatch/store/notifications/write-plan';
import type { NoticeEvent } from './notice-event.ts';

export interface PlanningOptions {
  /** How long alerts of one rule gather, ms; 30 s by default. */
  groupedForMs?: number;
  newId: (prefix: IdPrefix) => string;
  /** The channels that organizations have, by organization: all that may be a default, and those that are named. */
  readChannels(
    tx: Transaction,
    organizations: readonly string[],
    named: readonly string[],
  ): Promise<Map<string, KnownChannel[]>>;
}

/** What was decided, to be counted: queued, suppressed by reason, not configured. */
export type PlanCounts = Map<string, number>;

/**
 * Decides in `tx` who is told of these events, and records it: for each event and channel one notification, or a place in
 * a digest. An event that was planned before changes nothing.
 */
export async function planEvents(
  tx: Transaction,
  events: readonly NoticeEvent[],
  now: number,
  options: PlanningOptions,
): Promise<PlanCounts> {
  if (events.length === 0) return new Map();
  const plan = new Plan(await readFacts(tx, events, options), now, options);
  for (const event of events) plan.add(event);
  await plan.write(tx);
  return plan.counts;
}

interface Facts {
  channels: (event: NoticeEvent) => ChosenChannel[];
  known: Map<string, KnownChannel[]>;
  earlier: Map<string, RecordedNotice[]>;
  offline: Set<string>;
  flapping: Map<string, number>;
  windows: Map<string, NoticeWindow>;
}

const ownedRule = ({ organizationId, alert }: NoticeEvent): OwnedId => ({
  organizationId,
  id: alert.rule_id,
});
const ownedAlert = ({ organizationId, alert }: NoticeEvent): OwnedId => ({ organizationId, id: alert.id });
const ownedService = ({ organizationId, alert }: NoticeEvent): OwnedId => ({
  organizationId,
  id: alert.service_id,
});

function streamOf({ organizationId, alert }: NoticeEvent): StreamKey {
  const { rule_id: ruleId, service_id: serviceId, subject } = alert;
  return { organizationId, ruleId, serviceId, subject };
}

async function readFacts(
  tx: Transaction,
  events: readonly NoticeEvent[],
  options: PlanningOptions,
): Promise<Facts> {
  const named = await readRuleChannels(tx, events.map(ownedRule));
  const earlier = await readEarlier(tx, events.map(ownedAlert));
  const offline = await readOffline(tx, events.map(ownedService));
  const flapping = await readFlapping(tx, events.map(streamOf));
  const ids = new Set([
    ...[...named.values()].flat(),
    ...[...earlier.values()].flat().map(({ channel }) => channel.key),
  ]);
  const organizations = [...new Set(events.map(({ organizationId }) => organizationId))];
  const known = await options.readChannels(tx, organizations, [...ids]);
  const chosen = new Map<string, ChosenChannel[]>();
  for (const [rule, names] of named) {
    const [organizationId = ''] = rule.split('\u001f');
    chosen.set(rule, chooseChannels(names, known.get(organizationId) ?? []));
  }
  const channels = (event: NoticeEvent) => chosen.get(keyOf(event.organizationId, event.alert.rule_id)) ?? [];
  const windows = events.flatMap((event): WindowKey[] => {
    const before = earlier.get(keyOf(event.organizationId, event.alert.id)) ?? [];
    const keys = new Set([...channels(event), ...before.map(({ channel }) => channel)].map(({ key }) => key));
    const direction = directionOf(event.transition);
    const { organizationId, alert } = event;
    return [...keys].map((channel) => ({ organizationId, ruleId: alert.rule_id, channel, direction }));
  });
  return { channels, known, earlier, offline, flapping, windows: await lockWindows(tx, windows) };
}

/** What the events of one transaction come to. */
class Plan {
  readonly counts: PlanCounts = new Map();
  readonly #facts: Facts;
  readonly #now: number;
  readonly #newId: PlanningOptions['newId'];
  readonly #groupedForMs: number;
  readonly #notifications = new Map<string, NewNotification>();
  readonly #alerts: NotificationAlert[] = [];
  readonly #windows = new Map<string, WindowKey & { window: NoticeWindow }>();
  readonly #waits = new Map<string, { organizationId: string; id: string; waitsFor: string[] }>();
  readonly #tellings = new Map<string, AlertTelling>();
  readonly #ended = new Map<string, { organizationId: string; alertId: string }>();
  readonly #streams = new Map<string, { stream: StreamKey; changedAt: number | null }>();

  constructor(facts: Facts, now: number, { newId, groupedForMs = GROUPED_FOR_MS }: PlanningOptions) {
    this.#facts = facts;
    this.#now = now;
    this.#newId = newId;
    this.#groupedForMs = groupedForMs;
  }

  add(event: NoticeEvent): void {
    const { organizationId, alert, transition } = event;
    const key = keyOf(organizationId, alert.id);
    const earlier = this.#facts.earlier.get(key) ?? [];
    if (earlier.some(({ eventId }) => eventId === event.id)) return;
    const quiet = this.#flap(event);
    const suppression = suppressionOf({
      ...{ alert, quiet, age: this.#now - event.at },
      hostOffline: this.#facts.offline.has(keyOf(organizationId, alert.service_id)),
    });
    const notices =
      transition === 'resolved'
        ? planResolution(earlier, (channel) => this.#eventsOf(organizationId, channel))
        : planOpening(transition, this.#facts.channels(event), earlier, suppression);
    const recorded = notices.map((notice) => this.#record(event, notice));
    this.#facts.earlier.set(key, [...earlier, ...recorded]);
    if (transition === 'resolved') this.#end(event);
    else this.#note(event, notices, suppression);
  }

  async write(tx: Transaction): Promise<void> {
    await insertNotifications(tx, [...this.#notifications.values()], this.#alerts);
    await addWaits(tx, [...this.#waits.values()]);
    await writeWindows(tx, [...this.#windows.values()]);
    await writeTellings(tx, [...this.#tellings.values()], [...this.#ended.values()]);
    await writeFlapping(tx, [...this.#streams.values()]);
  }

  #eventsOf(organizationId: string, channel: string) {
    const known = this.#facts.known.get(organizationId)?.find(({ id }) => id === channel);
    return known?.events ?? null;
  }

  #flap(event: NoticeEvent): boolean {
    const stream = streamOf(event);
    const key = streamKeyOf(stream);
    const changedAt = this.#facts.flapping.get(key);
    const after = flap(changedAt === undefined ? null : { changedAt }, event.transition, event.at);
    const next = after.stream?.changedAt ?? null;
    if (next !== (changedAt ?? null)) this.#streams.set(key, { stream, changedAt: next });
    if (next === null) this.#facts.flapping.delete(key);
    else this.#facts.flapping.set(key, next);
    return after.quiet;
  }

  /** Makes the notification of one channel, or its place in a digest. */
  #record(event: NoticeEvent, { channel, decision }: PlannedNotice): RecordedNotice {
    const { organizationId, alert } = event;
    const direction = directionOf(event.transition);
    const outcome = decision.kind === 'tell' ? 'queued' : decision.reason;
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    const made = decision.kind === 'tell' ? this.#place(event, channel.key) : null;
    const held = made?.kind === 'held' ? made : null;
    const id = held?.digestId ?? this.#newId('ntf');
    const status =
      decision.kind === 'tell' ? 'queued' : decision.kind === 'suppress' ? 'suppressed' : 'not_configured';
    const waitsFor = decision.kind === 'tell' ? decision.waitsFor.filter((each) => each !== id) : [];
    this.#alerts.push({
      ...{ organizationId, alertId: alert.id, channel: channel.key, eventId: event.id },
      ...{ notificationId: id, event: held === null ? null : event.event },
    });
    if (held === null || held.opened) {
      const from = held?.until ?? this.#now;
      this.#notifications.set(id, {
        ...{ organizationId, id, direction, channel, status, waitsFor, ruleId: alert.rule_id },
        eventId: held === null ? event.id : this.#newId('evt'),
        transition: held === null ? event.transition : 'digest',
        reason: decision.kind === 'tell' ? null : decision.reason,
        event: held === null ? event.event : null,
        nextAttemptAt: from,
        giveUpAt: from + TOLD_WITHIN_MS,
        createdAt: this.#now,
      });
    } else if (waitsFor.length > 0) this.#addWaits(organizationId, id, waitsFor);
    return { id, channel, direction, status, eventId: event.id };
  }

  #place(event: NoticeEvent, channel: string) {
    const { organizationId, alert, bytes, transition } = event;
    const key: WindowKey = {
      ...{ organizationId, ruleId: alert.rule_id, channel },
      direction: directionOf(transition),
    };
    const name = windowKeyOf(key);
    const before = this.#facts.windows.get(name) ?? null;
    const { window, placement } = place(before, this.#now, bytes, {
      groupedForMs: this.#groupedForMs,
      newDigestId: () => this.#newId('ntf'),
    });
    this.#facts.windows.set(name, window);
    this.#windows.set(name, { ...key, window });
    return placement;
  }

  #addWaits(organizationId: string, id: string, waitsFor: readonly string[]): void {
    const begun = this.#notifications.get(id);
    if (begun !== undefined) begun.waitsFor = [...new Set([...begun.waitsFor, ...waitsFor])];
    else {
      const before = this.#waits.get(id)?.waitsFor ?? [];
      this.#waits.set(id, { organizationId, id, waitsFor: [...new Set([...before, ...waitsFor])] });
    }
  }

  #note(event: NoticeEvent, notices: readonly PlannedNotice[], suppression: Suppression | null): void {
    if (notices.length === 0) return;
    const { organizationId, alert } = event;
    const told = notices.some(({ decision }) => decision.kind === 'tell');
    const withheld = suppression !== null && PASSING.includes(suppression) ? suppression : null;
    if (!told && withheld === null) return;
    const key = keyOf(organizationId, alert.id);
    const toldAt = told ? this.#now : (this.#tellings.get(key)?.toldAt ?? null);
    this.#ended.delete(key);
    this.#tellings.set(key, { organizationId, alertId: alert.id, ruleId: alert.rule_id, toldAt, withheld });
  }

  #end({ organizationId, alert }: NoticeEvent): void {
    const key = keyOf(organizationId, alert.id);
    this.#tellings.delete(key);
    this.#ended.set(key, { organizationId, alertId: alert.id });
  }
}
