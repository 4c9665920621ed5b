import type { Transaction } from '@tidewatch/database/connection';
import { flap, withNotices } from '@tidewatch/domain/notification/flapping';
import { GROUPED_FOR_MS, type NoticeWindow } from '@tidewatch/domain/notification/grouping';
import {
  directionOf,
  type PlannedNotice,
  planOpening,
  planResolution,
} from '@tidewatch/domain/notification/plan';
import { Turn } from '@tidewatch/store/event-loop/turn';
import {
  type AlertMark,
  type NotifiedAlert,
  readMarks,
  readNotifiedAlerts,
  streamKeyOf,
} from '@tidewatch/store/notifications/facts';
import { lockWindows, type WindowKey } from '@tidewatch/store/notifications/windows';
import {
  type AlertNotificationState,
  type EndedAlert,
  type RecheckReason,
  writeFlapping,
  writeNotificationStates,
} from '@tidewatch/store/notifications/write-plan';
import type { NoticeEvent, NoticeTransition } from './notice-event.ts';
import { keyOfAlert, NoticeFacts, type Occasion, streamOf } from './notice-facts.ts';
import { NoticeRecords } from './notice-records.ts';
import type { PlanningOptions } from './planning-options.ts';

/** Number of notices by outcome: `queued`, or the reason why the channel is not notified. */
export type PlanCounts = Map<string, number>;

/**
 * Decides in `tx` which channels are notified of these events, and records one notification for each event and channel, or
 * adds it to a digest. An event that was planned before has no effect.
 */
export async function planEvents(
  tx: Transaction,
  events: readonly NoticeEvent[],
  now: number,
  options: PlanningOptions,
): Promise<PlanCounts> {
  if (events.length === 0) return new Map();
  const known = await readNotifiedAlerts(tx, events.map(alertOf));
  const alerts = events.map((event) => known.get(keyOfAlert(alertOf(event))) ?? alertOf(event));
  const facts = await NoticeFacts.read(tx, alerts, now, options);
  const marks = await readMarks(tx, alerts);
  const windows = await lockWindows(tx, windowsOf(events, facts));
  const plan = new Plan({ known, facts, marks, windows }, now, options);
  const turn = new Turn();
  for (const event of events) {
    plan.add(event);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  await plan.write(tx);
  return plan.records.counts;
}

/** The alert as its event describes it, used if its row was deleted; it then counts as not active. */
function alertOf({ organizationId, alert }: NoticeEvent): NotifiedAlert {
  const { id, rule_id: ruleId, service_id: serviceId, host, subject, metric, severity, shadow } = alert;
  return {
    organizationId,
    id,
    ruleId,
    serviceId,
    host,
    subject,
    metric,
    severity,
    shadow,
    active: false,
    unconfirmed: alert.backfilled,
    silencedBy: alert.silenced_by,
  };
}

function windowsOf(events: readonly NoticeEvent[], facts: NoticeFacts): WindowKey[] {
  return events.flatMap((event): WindowKey[] => {
    const alert = alertOf(event);
    const before = facts.earlierOf(alert).map(({ channel }) => channel);
    const keys = new Set([...facts.channelsOf(alert), ...before].map(({ key }) => key));
    const { organizationId, ruleId } = alert;
    const direction = directionOf(event.transition);
    return [...keys].map((channel) => ({ organizationId, ruleId, channel, direction }));
  });
}

interface Read {
  known: ReadonlyMap<string, NotifiedAlert>;
  facts: NoticeFacts;
  marks: ReadonlyMap<string, AlertMark>;
  windows: Map<string, NoticeWindow>;
}

/** Plans the events of one transaction. */
class Plan {
  readonly records: NoticeRecords;
  readonly #known: ReadonlyMap<string, NotifiedAlert>;
  readonly #facts: NoticeFacts;
  readonly #marks: ReadonlyMap<string, AlertMark>;
  readonly #now: number;
  readonly #states = new Map<string, AlertNotificationState>();
  readonly #ended = new Map<string, EndedAlert>();
  /** One alert of each stream whose flapping state changed, by stream key. */
  readonly #streams = new Map<string, NotifiedAlert>();

  constructor({ known, facts, marks, windows }: Read, now: number, options: PlanningOptions) {
    this.#known = known;
    this.#facts = facts;
    this.#marks = marks;
    this.#now = now;
    const { newId, groupedForMs = GROUPED_FOR_MS } = options;
    this.records = new NoticeRecords(windows, now, { newId, groupedForMs });
  }

  add(event: NoticeEvent): void {
    const stated = alertOf(event);
    const key = keyOfAlert(stated);
    // The stored alert with the severity of the event, since each change of severity has an event of its own.
    const alert = { ...(this.#known.get(key) ?? stated), severity: stated.severity };
    const earlier = this.#facts.earlierOf(alert);
    if (earlier.some(({ eventId }) => eventId === event.id)) return;
    const { transition } = event;
    this.#flap(alert, event);
    if (transition === 'resolved') {
      const { organizationId } = alert;
      this.#record(
        event,
        alert,
        planResolution(earlier, (channel) => this.#facts.eventsOf(organizationId, channel)),
      );
      this.#end(alert, null);
      return;
    }
    const makesGood =
      transition === 'silence_ended' ||
      (transition === 'fired' && earlier.length > 0) ||
      this.#marks.get(key)?.madeGoodBy === event.id;
    // Follow-ups and reminders are dropped once the alert has ended.
    if ((makesGood || transition === 'renotified') && !alert.active) {
      if (makesGood) this.#end(alert, event.id);
      return;
    }
    const occasion: Occasion = { type: `alert.${transition}`, ageMs: this.#now - event.at };
    const notices = makesGood
      ? this.#owed(alert, transition, occasion)
      : planOpening(this.#facts.channelsOf(alert), earlier, (channel) =>
          this.#facts.decide(alert, channel, occasion),
        );
    this.#record(event, alert, notices);
    this.#note(alert, notices, makesGood ? event.id : null);
  }

  async write(tx: Transaction): Promise<void> {
    await this.records.write(tx);
    await writeNotificationStates(tx, [...this.#states.values()], [...this.#ended.values()]);
    await writeFlapping(
      tx,
      [...this.#streams.values()].map((alert) => ({
        stream: streamOf(alert),
        flapping: this.#facts.streamOf(alert),
      })),
    );
  }

  /**
   * A follow-up goes to channels whose reason to withhold has passed: as fired if they have no earlier notice, as escalated
   * if they have one.
   */
  #owed(alert: NotifiedAlert, transition: NoticeTransition, occasion: Occasion): PlannedNotice[] {
    const fits = (channel: string) =>
      transition === 'silence_ended' ||
      this.#facts.hadNotice(alert, channel) === (transition === 'escalated');
    const owed = new Set(
      this.#facts
        .owed(alert, occasion)
        .filter(({ decision }) => decision.kind === 'notify')
        .map(({ channel }) => channel.key),
    );
    const channels = this.#facts.channelsOf(alert).filter(({ key }) => owed.has(key) && fits(key));
    return planOpening(channels, this.#facts.earlierOf(alert), () => ({ kind: 'notify' }));
  }

  #record(event: NoticeEvent, alert: NotifiedAlert, notices: readonly PlannedNotice[]): void {
    const recorded = notices.map((notice) => this.records.add(event, notice));
    this.#facts.add(alert, recorded);
    const stream = this.#facts.streamOf(alert);
    if (event.transition !== 'flapping' || stream === null) return;
    const severity = event.flappingSeverity ?? alert.severity;
    const queued = recorded
      .filter(({ status }) => status === 'queued')
      .map(({ id, channel }) => ({ id, channel: channel.key, severity, underWay: true }));
    this.#facts.setStream(alert, withNotices(stream, queued));
    this.#streams.set(streamKeyOf(streamOf(alert)), alert);
  }

  /** Updates the flapping state of the stream by the event. */
  #flap(alert: NotifiedAlert, { transition, at, flappingSeverity }: NoticeEvent): void {
    const before = this.#facts.streamOf(alert);
    const after = flap(before, transition, flappingSeverity ?? alert.severity, at);
    if (after?.changedAt === before?.changedAt && after?.severity === before?.severity) return;
    this.#facts.setStream(alert, after);
    this.#streams.set(streamKeyOf(streamOf(alert)), alert);
  }

  #note(alert: NotifiedAlert, notices: readonly PlannedNotice[], makesGood: string | null): void {
    const { organizationId, id: alertId, ruleId } = alert;
    const key = keyOfAlert(alert);
    const notified = notices.some(({ decision }) => decision.kind === 'notify');
    const withheld: RecheckReason[] = alert.active && !alert.shadow ? this.#facts.withheld(alert) : [];
    const before = this.#states.get(key);
    if (!notified && withheld.length === 0 && before === undefined && !this.#marks.has(key)) return;
    const notifiedAt = notified ? this.#now : (before?.notifiedAt ?? null);
    this.#ended.delete(key);
    const madeGoodBy = makesGood ?? before?.madeGoodBy ?? null;
    this.#states.set(key, { organizationId, alertId, ruleId, notifiedAt, withheld, madeGoodBy });
  }

  #end(alert: NotifiedAlert, madeGoodBy: string | null): void {
    const { organizationId, id: alertId } = alert;
    this.#states.delete(keyOfAlert(alert));
    this.#ended.set(keyOfAlert(alert), { organizationId, alertId, madeGoodBy });
  }
}
