import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import type { NotificationTransition } from '@tidewatch/contracts/notifications/notification';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { Direction } from '@tidewatch/domain/notification/owed';
import type { Pace } from '@tidewatch/domain/notification/pacing';
import { EVENT_PRIORITY } from '@tidewatch/domain/notification/priority';
import { type PaceRow, paceOf } from './pace.ts';

/** A channel with queued notifications. Times are ms. */
export interface QueuedChannel {
  organizationId: string;
  channel: string;
  kind: ChannelKind;
  /** The priority of the most severe due notification, or of all if none is due. */
  priority: number;
  /** When the first notification of that priority is due. */
  dueAt: number;
  /** The delivery state of the channel; null before the first attempt. */
  pace: Pace | null;
}

type QueuedRow = Omit<QueuedChannel, 'pace'> & (PaceRow | { tokens: null });

/** Reads the channels with queued notifications by a few index lookups each, however long the queues are. */
export async function readQueuedChannels(sql: Sql, now: number): Promise<QueuedChannel[]> {
  const rows = await sql<QueuedRow[]>`
    with recursive queued as (
      (select organization_id, channel, priority, channel_kind, next_attempt_at from notifications where status = 'queued'
        order by organization_id, channel, priority, next_attempt_at limit 1)
      union all
      (select n.organization_id, n.channel, n.priority, n.channel_kind, n.next_attempt_at
        from queued q cross join lateral (
          select organization_id, channel, priority, channel_kind, next_attempt_at from notifications
          where status = 'queued' and (organization_id, channel, priority) > (q.organization_id, q.channel, q.priority)
          order by organization_id, channel, priority, next_attempt_at limit 1) n)
    ), first as (
      select distinct on (organization_id, channel) * from queued
      order by organization_id, channel, next_attempt_at > ${now}, case when next_attempt_at > ${now} then next_attempt_at end, priority
    )
    select f.organization_id as "organizationId", f.channel, f.channel_kind as kind, f.priority, f.next_attempt_at as "dueAt",
      p.tokens, p.refilled_at, p.failures, p.open_until, p.paused_until, p.answered_at
    from first f left join destination_paces p on p.organization_id = f.organization_id and p.channel = f.channel`;
  return rows.map((row) => {
    const { organizationId, channel, kind, priority, dueAt } = row;
    return { organizationId, channel, kind, priority, dueAt, pace: row.tokens === null ? null : paceOf(row) };
  });
}

/** The event about one alert, as webhooks receive it. */
export interface StoredEvent {
  id: string;
  type: string;
  time: string;
  source: string;
  data: { alert: Alert; rule: { id: string; name: string; runbook_url: string | null } };
}

/** A notification that this process has claimed for an attempt. Times are ms. */
export interface ClaimedNotification {
  organizationId: string;
  id: string;
  eventId: string;
  channel: string;
  channelId: string;
  kind: ChannelKind;
  transition: NotificationTransition;
  direction: Direction;
  /** The event of the notification; null for a digest that collected alerts until now. */
  event: (Omit<StoredEvent, 'data'> & { data: object }) | null;
  /** The number of this attempt, from 1. */
  attempts: number;
  createdAt: number;
  giveUpAt: number;
  /** Whether an earlier attempt has no recorded outcome, so that the destination may have received the message already. */
  repeated: boolean;
  /** Whether a user requested the delivery. */
  forced: boolean;
  /** Whether the channel was notified about one of these alerts before. */
  notifiedBefore: boolean;
  /** The reference of an earlier message about the same single alert. */
  reference: string | null;
}

/**
 * Claims up to `count` due notifications of a channel until `leaseUntil` (ms), after which they can be claimed again unless
 * their outcome was recorded. Skips notifications that wait for others or are claimed by another process.
 */
export async function claimNotifications(
  tx: Transaction,
  of: { organizationId: string; channel: string },
  claim: { count: number; now: number; leaseUntil: number },
): Promise<ClaimedNotification[]> {
  const { organizationId, channel } = of;
  // Locks grouping windows before notifications, the order in which planners lock them, so that no digest grows meanwhile.
  await tx`
    select 1 from notification_windows w
    where (w.organization_id, w.rule_id, w.channel, w.direction) in (
      select n.organization_id, n.rule_id, n.channel, n.direction from notifications n
      where n.status = 'queued' and n.organization_id = ${organizationId} and n.channel = ${channel}
        and n.next_attempt_at <= ${claim.now} and n.event is null)
    order by w.organization_id, w.rule_id, w.channel, w.direction for update`;
  return tx<ClaimedNotification[]>`
    with due as materialized (
      select d.organization_id, d.id, d.attempting from generate_series(0, ${EVENT_PRIORITY}::int) p cross join lateral (
        select n.organization_id, n.id, n.attempting, n.next_attempt_at from notifications n
        where n.status = 'queued' and n.organization_id = ${organizationId} and n.channel = ${channel}
          and n.priority = p and n.next_attempt_at <= ${claim.now}
          and not exists (
            select 1 from notifications w where w.organization_id = n.organization_id and w.id = any(n.waits_for) and w.status = 'queued')
        order by n.next_attempt_at, n.id limit ${claim.count} for update skip locked) d
      order by p, d.next_attempt_at, d.id limit ${claim.count}
    ), claimed as (
      update notifications n
      set attempts = n.attempts + 1, attempting = true, next_attempt_at = ${claim.leaseUntil}
      from due where n.organization_id = due.organization_id and n.id = due.id
      returning n.*, due.attempting as repeated
    )
    select c.organization_id as "organizationId", c.id, c.event_id as "eventId", c.channel, c.channel_id as "channelId",
      c.channel_kind as kind, c.transition, c.direction, c.event, c.attempts, c.created_at as "createdAt",
      c.give_up_at as "giveUpAt", c.repeated, c.forced,
      exists (${earlier(tx)} and e.direction = 'opening') as "notifiedBefore",
      (select e.reference from (${earlier(tx)}) e
        where e.transition <> 'digest' and e.reference is not null and c.transition <> 'digest'
        order by e.sent_at desc limit 1) as reference
    from claimed c order by c.created_at, c.id`;
}

/** Delivered notifications about the alerts of `claimed c` on its channel. */
function earlier(tx: Transaction) {
  return tx`
    select e.* from notification_alerts mine
    join notification_alerts theirs on theirs.organization_id = mine.organization_id and theirs.alert_id = mine.alert_id
      and theirs.channel = mine.channel and theirs.notification_id <> mine.notification_id
    join notifications e on e.organization_id = theirs.organization_id and e.id = theirs.notification_id and e.status = 'delivered'
    where mine.organization_id = c.organization_id and mine.notification_id = c.id`;
}

/** An alert in a digest that still collects alerts, with the event of the alert. */
export interface GatheredAlert {
  alertId: string;
  event: StoredEvent;
  /** Whether the channel was notified about the alert before. */
  notifiedBefore: boolean;
}

/** Reads the alerts that a claimed digest has collected, oldest first. */
export async function readGathered(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<GatheredAlert[]> {
  return tx<GatheredAlert[]>`
    select g.alert_id as "alertId", g.event, exists (
      select 1 from notification_alerts t join notifications e on e.organization_id = t.organization_id and e.id = t.notification_id
      where t.organization_id = g.organization_id and t.alert_id = g.alert_id and t.channel = g.channel
        and e.status = 'delivered' and e.direction = 'opening') as "notifiedBefore"
    from notification_alerts g
    where g.organization_id = ${organizationId} and g.notification_id = ${id} and g.event is not null
    order by g.event ->> 'time', g.event_id`;
}

/** Stores the event that a digest sends and closes the digest. Alerts that the event leaves out still belong to it. */
export async function closeDigest(
  tx: Transaction,
  of: { organizationId: string; id: string },
  message: { eventId: string; transition: Transition; event: object },
): Promise<void> {
  const { organizationId, id } = of;
  await tx`
    update notifications
    set event_id = ${message.eventId}, transition = ${message.transition}, event = ${tx.json(message.event as never)}
    where organization_id = ${organizationId} and id = ${id}`;
  await endGathering(tx, of);
}

/** Closes a digest for further alerts, and deletes the events that it has collected. */
export async function endGathering(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await tx`
    update notification_alerts set event = null where organization_id = ${organizationId} and notification_id = ${id}`;
  await tx`
    update notification_windows set digest_id = null, digest_alerts = 0, digest_bytes = 0
    where organization_id = ${organizationId} and digest_id = ${id}`;
}
