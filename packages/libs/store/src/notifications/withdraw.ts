import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import type { AlertRow } from '../alerts/write-row.ts';

/** A queued notice about an alert that a silence mutes now. */
export interface QueuedNotice {
  /** The id of the notification. */
  id: string;
  channel: string;
  eventId: string;
  /** Whether the notification is part of a digest that still collects alerts. */
  gathers: boolean;
  alert: AlertRow;
}

/**
 * Locks at most `limit` queued notices about active alerts that a silence mutes. Skips notices that are being attempted or
 * were requested by a user, and closed digests.
 */
export async function lockSilencedNotices(tx: Transaction, limit: number): Promise<QueuedNotice[]> {
  const rows = await tx<
    (AlertRow & { notice: string; channel: string; event_id: string; gathers: boolean })[]
  >`
    select n.id as notice, m.channel, m.event_id, n.event is null as gathers, a.*
    from notifications n
    join notification_alerts m on m.organization_id = n.organization_id and m.notification_id = n.id
    join alerts a on a.organization_id = m.organization_id and a.id = m.alert_id and a.status = 'active' and a.silenced_by is not null
    where n.status = 'queued' and n.direction = 'opening' and not n.forced and not n.attempting
      and (n.event is null or n.transition <> 'digest')
    limit ${limit} for update of n skip locked`;
  return rows.map(({ notice: id, channel, event_id: eventId, gathers, ...alert }) => ({
    id,
    channel,
    eventId,
    gathers,
    alert,
  }));
}

/**
 * Withdraws locked notices because a silence mutes their alerts: suppresses them with the reason `silenced`, gives each
 * notice of a digest a notification of its own, and marks the alerts to be checked when the silence ends. `now` is in ms.
 */
export async function withdrawNotices(
  tx: Transaction,
  notices: readonly QueuedNotice[],
  now: number,
  newId: (prefix: 'ntf') => string,
): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ id, channel, eventId, gathers, alert }) => ({
    id,
    channel,
    event: eventId,
    org: alert.organization_id,
    alert: alert.id,
    rule: alert.rule_id,
    record: gathers ? newId('ntf') : id,
  }));
  const list = tx`json_to_recordset(${JSON.stringify(rows)}::text::json) as r(id text, channel text, event text, org text,
    alert text, rule text, record text)`;
  await tx`
    update notifications n set status = 'suppressed', reason = 'silenced'
    from ${list} where n.organization_id = r.org and n.id = r.id and r.record = r.id`;
  await tx`
    insert into notifications (organization_id, id, event_id, rule_id, transition, direction, channel, channel_kind, channel_id,
      channel_name, status, reason, event, next_attempt_at, give_up_at, created_at)
    select n.organization_id, r.record, r.event, n.rule_id, replace(m.event ->> 'type', 'alert.', ''), n.direction, n.channel,
      n.channel_kind, n.channel_id, n.channel_name, 'suppressed', 'silenced', m.event, ${toIso(now)}::timestamptz, n.give_up_at,
      n.created_at
    from ${list}
    join notifications n on n.organization_id = r.org and n.id = r.id
    join notification_alerts m on m.organization_id = r.org and m.alert_id = r.alert and m.channel = r.channel
      and m.event_id = r.event
    where r.record <> r.id`;
  await tx`
    update notification_alerts m set notification_id = r.record, event = null
    from ${list}
    where r.record <> r.id and m.organization_id = r.org and m.alert_id = r.alert and m.channel = r.channel
      and m.event_id = r.event`;
  await tx`
    insert into alert_notices as t (organization_id, alert_id, rule_id, withheld)
    select distinct r.org, r.alert, r.rule, '{silenced}'::text[] from ${list} order by 1, 2
    on conflict (organization_id, alert_id) do update set
      withheld = array(select distinct unnest(coalesce(t.withheld, '{}') || excluded.withheld))`;
}
