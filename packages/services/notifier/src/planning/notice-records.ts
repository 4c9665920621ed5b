import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Transaction } from '@tidewatch/database/connection';
import { MAX_NOTICE_AGE_MS } from '@tidewatch/domain/notification/decide-notice';
import { type NoticeWindow, place } from '@tidewatch/domain/notification/grouping';
import { directionOf, type PlannedNotice } from '@tidewatch/domain/notification/plan';
import { PRIORITIES } from '@tidewatch/domain/notification/priority';
import type { RecordedNotice } from '@tidewatch/store/notifications/facts';
import { type WindowKey, windowKeyOf, writeWindows } from '@tidewatch/store/notifications/windows';
import {
  addWaits,
  insertNotifications,
  type NewNotification,
  type NotificationAlert,
  raisePriorities,
} from '@tidewatch/store/notifications/write-plan';
import type { NoticeEvent } from './notice-event.ts';

export interface RecordOptions {
  newId: (prefix: IdPrefix) => string;
  /** How long alerts of one rule are collected for a digest, ms. */
  groupedForMs: number;
}

/** Collects the notifications that one transaction creates, with the grouping windows of their digests. */
export class NoticeRecords {
  readonly counts = new Map<string, number>();
  readonly #gathering: Map<string, NoticeWindow>;
  readonly #now: number;
  readonly #options: RecordOptions;
  readonly #notifications = new Map<string, NewNotification>();
  readonly #alerts: NotificationAlert[] = [];
  readonly #windows = new Map<string, WindowKey & { window: NoticeWindow }>();
  readonly #waits = new Map<string, { organizationId: string; id: string; waitsFor: string[] }>();
  /**
   * Notifications whose priority rises: a digest, or a notification that another one waits for, is as urgent as the most
   * urgent of them.
   */
  readonly #raised = new Map<string, { organizationId: string; id: string; priority: number }>();

  /** `windows` are the locked grouping windows of all notices of the transaction. */
  constructor(windows: Map<string, NoticeWindow>, now: number, options: RecordOptions) {
    this.#gathering = windows;
    this.#now = now;
    this.#options = options;
  }

  /** Creates a notification for one channel, or adds the alert to a digest. */
  add(event: NoticeEvent, { channel, decision }: PlannedNotice): RecordedNotice {
    const { newId } = this.#options;
    const { organizationId, alert } = event;
    const { severity } = alert;
    const direction = directionOf(event.transition);
    const notifies = decision.kind === 'notify';
    const reason = notifies ? null : decision.reason;
    const outcome = reason ?? 'queued';
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    const made = notifies ? this.#place(event, channel.key) : null;
    const held = made?.kind === 'held' ? made : null;
    const id = held?.digestId ?? newId('ntf');
    const status = notifies ? 'queued' : decision.kind === 'suppress' ? 'suppressed' : 'not_configured';
    const waitsFor = notifies ? decision.waitsFor.filter((each) => each !== id) : [];
    const priority = PRIORITIES[severity];
    for (const each of waitsFor) this.#raise(organizationId, each, priority);
    this.#alerts.push({
      organizationId,
      alertId: alert.id,
      channel: channel.key,
      eventId: event.id,
      severity,
      notificationId: id,
      event: held === null ? null : event.event,
    });
    if (held === null || held.opened) {
      const from = held?.until ?? this.#now;
      this.#notifications.set(id, {
        organizationId,
        id,
        direction,
        channel,
        status,
        reason,
        waitsFor,
        priority,
        ruleId: alert.rule_id,
        eventId: held === null ? event.id : newId('evt'),
        transition: held === null ? event.transition : 'digest',
        event: held === null ? event.event : null,
        nextAttemptAt: from,
        giveUpAt: from + MAX_NOTICE_AGE_MS,
        createdAt: this.#now,
      });
    } else {
      this.#raise(organizationId, id, priority);
      if (waitsFor.length > 0) this.#addWaits(organizationId, id, waitsFor);
    }
    return { id, channel, direction, status, reason, severity, eventId: event.id, createdAt: this.#now };
  }

  async write(tx: Transaction): Promise<void> {
    await insertNotifications(tx, [...this.#notifications.values()], this.#alerts);
    await addWaits(tx, [...this.#waits.values()]);
    await raisePriorities(tx, [...this.#raised.values()]);
    await writeWindows(tx, [...this.#windows.values()]);
  }

  #place({ organizationId, alert, bytes, transition }: NoticeEvent, channel: string) {
    const { newId, groupedForMs } = this.#options;
    const key: WindowKey = {
      organizationId,
      ruleId: alert.rule_id,
      channel,
      direction: directionOf(transition),
    };
    const name = windowKeyOf(key);
    const before = this.#gathering.get(name) ?? null;
    const newDigestId = () => newId('ntf');
    const { window, placement } = place(before, this.#now, bytes, { groupedForMs, newDigestId });
    this.#gathering.set(name, window);
    this.#windows.set(name, { ...key, window });
    return placement;
  }

  #raise(organizationId: string, id: string, priority: number): void {
    const begun = this.#notifications.get(id);
    const before = (begun ?? this.#raised.get(id))?.priority ?? Number.POSITIVE_INFINITY;
    if (priority >= before) return;
    if (begun !== undefined) begun.priority = priority;
    else this.#raised.set(id, { organizationId, id, priority });
  }

  #addWaits(organizationId: string, id: string, waitsFor: readonly string[]): void {
    const begun = this.#notifications.get(id);
    if (begun !== undefined) begun.waitsFor = [...new Set([...begun.waitsFor, ...waitsFor])];
    else {
      const before = this.#waits.get(id)?.waitsFor ?? [];
      this.#waits.set(id, { organizationId, id, waitsFor: [...new Set([...before, ...waitsFor])] });
    }
  }
}
