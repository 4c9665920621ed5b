import type {
  Notification,
  NotificationStatus,
  NotificationTransition,
} from '@tidewatch/contracts/notifications/notification';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Transaction } from '@tidewatch/database/connection';
import type { PassingReason } from '@tidewatch/domain/notification/decide-notice';
import type { FlappingStream } from '@tidewatch/domain/notification/flapping';
import type { Direction } from '@tidewatch/domain/notification/owed';
import type { ChannelReference } from '@tidewatch/domain/notification/plan';
import { Turn } from '../event-loop/turn.ts';
import type { StreamKey } from './facts.ts';

/** The max number of rows in a statement: an alert storm on many channels has tens of thousands, each with an event. */
const MAX_ROWS_PER_STATEMENT = 500;

/** A planned notification. Times are ms; `event` is null for a digest that collects alerts. */
export interface NewNotification {
  organizationId: string;
  id: string;
  eventId: string;
  /** The rule of the alert; null for events that are not about an alert of a rule. */
  ruleId: string | null;
  transition: NotificationTransition;
  direction: Direction;
  channel: ChannelReference;
  status: NotificationStatus;
  reason: Notification['reason'];
  event: object | null;
  waitsFor: string[];
  priority: number;
  nextAttemptAt: number;
  giveUpAt: number;
  createdAt: number;
}

/** A link of a notification to an alert, with the event of the alert while its digest collects. */
export interface NotificationAlert {
  organizationId: string;
  alertId: string;
  channel: string;
  eventId: string;
  notificationId: string;
  /** The severity of the alert in the notice. */
  severity: Severity;
  event: object | null;
}

/**
 * Stores notifications and returns how many are new. Notifications about events other than those of alerts are kept if they
 * are stored already.
 */
export async function insertNotifications(
  tx: Transaction,
  notifications: readonly NewNotification[],
  alerts: readonly NotificationAlert[],
): Promise<number> {
  const turn = new Turn();
  let inserted = 0;
  for (let start = 0; start < notifications.length; start += MAX_ROWS_PER_STATEMENT) {
    inserted += await insertSome(tx, notifications.slice(start, start + MAX_ROWS_PER_STATEMENT));
    await turn.yieldWhenDue();
  }
  for (let start = 0; start < alerts.length; start += MAX_ROWS_PER_STATEMENT) {
    await insertAlerts(tx, alerts.slice(start, start + MAX_ROWS_PER_STATEMENT));
    await turn.yieldWhenDue();
  }
  return inserted;
}

async function insertSome(tx: Transaction, notifications: readonly NewNotification[]): Promise<number> {
  const rows = notifications.map(({ channel, ...row }) => ({
    ...row,
    channel: channel.key,
    kind: channel.kind,
    channelId: channel.id,
    name: channel.name,
    nextAttemptAt: toIso(row.nextAttemptAt),
    giveUpAt: toIso(row.giveUpAt),
    createdAt: toIso(row.createdAt),
  }));
  const { count } = await tx`
    insert into notifications (organization_id, id, event_id, rule_id, transition, direction, channel, channel_kind, channel_id,
      channel_name, status, reason, event, waits_for, priority, next_attempt_at, give_up_at, created_at)
    select r."organizationId", r.id, r."eventId", r."ruleId", r.transition, r.direction, r.channel, r.kind,
      r."channelId", r.name, r.status, r.reason, nullif(r.event, 'null'::jsonb), r."waitsFor", r.priority, r."nextAttemptAt", r."giveUpAt",
      r."createdAt"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r("organizationId" text, id text, "eventId" text,
      "ruleId" text, transition text, direction text, channel text, kind text, "channelId" text, name text,
      status text, reason text, event jsonb, "waitsFor" text[], priority smallint, "nextAttemptAt" timestamptz, "giveUpAt" timestamptz,
      "createdAt" timestamptz)
    on conflict (organization_id, event_id, channel) where transition = 'event' do nothing`;
  return count;
}

async function insertAlerts(tx: Transaction, alerts: readonly NotificationAlert[]): Promise<void> {
  await tx`
    insert into notification_alerts (organization_id, alert_id, channel, event_id, notification_id, severity, event)
    select r."organizationId", r."alertId", r.channel, r."eventId", r."notificationId", r.severity,
      nullif(r.event, 'null'::jsonb)
    from json_to_recordset(${JSON.stringify(alerts)}::text::json) as r("organizationId" text, "alertId" text,
      channel text, "eventId" text, "notificationId" text, severity text, event jsonb)`;
}

/** Raises the priority of queued notifications to that of the notices that wait for them or are collected in them. */
export async function raisePriorities(
  tx: Transaction,
  raised: readonly { organizationId: string; id: string; priority: number }[],
): Promise<void> {
  if (raised.length === 0) return;
  await tx`
    update notifications n set priority = r.priority
    from json_to_recordset(${JSON.stringify(raised)}::text::json) as r("organizationId" text, id text, priority smallint)
    where n.organization_id = r."organizationId" and n.id = r.id and n.status = 'queued' and n.priority > r.priority`;
}

/** Stores that notifications wait for open digests to be sent. */
export async function addWaits(
  tx: Transaction,
  digests: readonly { organizationId: string; id: string; waitsFor: readonly string[] }[],
): Promise<void> {
  if (digests.length === 0) return;
  await tx`
    update notifications n set waits_for = array(select distinct unnest(n.waits_for || r."waitsFor"))
    from json_to_recordset(${JSON.stringify(digests)}::text::json) as r("organizationId" text, id text, "waitsFor" text[])
    where n.organization_id = r."organizationId" and n.id = r.id`;
}

/** Why an alert is checked again: the reason to withhold a notice, or a change of its rule or of a channel. */
export type RecheckReason = PassingReason | 'changed';

/** The notification state of an active alert: when a channel was last notified, and why notices are withheld. */
export interface AlertNotificationState {
  organizationId: string;
  alertId: string;
  ruleId: string;
  /** When a channel was last notified, ms; null keeps the stored time. */
  notifiedAt: number | null;
  withheld: readonly RecheckReason[];
  /** The event with which withheld notices are sent, if it was planned now. */
  madeGoodBy: string | null;
}

/** A resolved alert, and the event with which its withheld notices are sent, if it was planned now. */
export type EndedAlert = Pick<AlertNotificationState, 'organizationId' | 'alertId' | 'madeGoodBy'>;

/**
 * Stores notification states and deletes those of resolved alerts. Reasons are only added, because another transaction may
 * have added some; the next check removes those that have passed. If an event that sends withheld notices is pending, the
 * state stays until that event is planned.
 */
export async function writeNotificationStates(
  tx: Transaction,
  states: readonly AlertNotificationState[],
  ended: readonly EndedAlert[],
): Promise<void> {
  if (states.length > 0) {
    const rows = states.map((state) => ({
      ...state,
      notifiedAt: state.notifiedAt === null ? null : toIso(state.notifiedAt),
      withheld: state.withheld.length === 0 ? null : state.withheld,
    }));
    await tx`
      insert into alert_notices as t (organization_id, alert_id, rule_id, notified_at, withheld)
      select r."organizationId", r."alertId", r."ruleId", r."notifiedAt", r.withheld
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r("organizationId" text, "alertId" text,
        "ruleId" text, "notifiedAt" timestamptz, withheld text[])
      order by 1, 2
      on conflict (organization_id, alert_id) do update set notified_at = coalesce(excluded.notified_at, t.notified_at),
        withheld = case when excluded.withheld is null then t.withheld
          else array(select distinct unnest(coalesce(t.withheld, '{}') || excluded.withheld)) end`;
  }
  // Another event of the alert may be planned before the one that sends withheld notices.
  const planned = states.filter(({ madeGoodBy }) => madeGoodBy !== null);
  if (planned.length > 0)
    await tx`
      update alert_notices t set made_good_by = null
      from json_to_recordset(${JSON.stringify(planned)}::text::json) as r("organizationId" text, "alertId" text,
        "madeGoodBy" text)
      where t.organization_id = r."organizationId" and t.alert_id = r."alertId" and t.made_good_by = r."madeGoodBy"`;
  if (ended.length === 0) return;
  await tx`
    delete from alert_notices t
    using json_to_recordset(${JSON.stringify(ended)}::text::json) as r("organizationId" text, "alertId" text,
      "madeGoodBy" text)
    where t.organization_id = r."organizationId" and t.alert_id = r."alertId"
      and (t.made_good_by is null or t.made_good_by = r."madeGoodBy")`;
}

/** Stores the states of flapping streams, and deletes those that are calm again (null). */
export async function writeFlapping(
  tx: Transaction,
  streams: readonly { stream: StreamKey; flapping: FlappingStream | null }[],
): Promise<void> {
  const rows = streams.map(({ stream, flapping }) => ({
    org: stream.organizationId,
    rule: stream.ruleId,
    service: stream.serviceId,
    kind: stream.subject.kind,
    name: stream.subject.name,
    severity: flapping?.severity,
    at: flapping === null ? null : toIso(flapping.changedAt),
    notices: flapping?.notices.map(({ channel, id, severity }) => ({ channel, id, severity })),
  }));
  const [flapping, calm] = [rows.filter(({ at }) => at !== null), rows.filter(({ at }) => at === null)];
  const columns = tx`as r(org text, rule text, service text, kind text, name text, severity text, at timestamptz, notices jsonb)`;
  if (flapping.length > 0)
    await tx`
      insert into flapping_streams (organization_id, rule_id, service_id, subject_kind, subject_name, severity, changed_at, notices)
      select org, rule, service, kind, name, severity, at, notices
      from json_to_recordset(${JSON.stringify(flapping)}::text::json) ${columns}
      order by 1, 2, 3, 4, 5
      on conflict (organization_id, rule_id, service_id, subject_kind, subject_name) do update set
        severity = excluded.severity, changed_at = excluded.changed_at, notices = excluded.notices`;
  if (calm.length > 0)
    await tx`
      delete from flapping_streams s using json_to_recordset(${JSON.stringify(calm)}::text::json) ${columns}
      where (s.organization_id, s.rule_id, s.service_id, s.subject_kind, s.subject_name) = (r.org, r.rule, r.service, r.kind, r.name)`;
}
