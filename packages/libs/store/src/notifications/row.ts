import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import {
  MAX_NAMED_ALERTS,
  type Notification,
  type NotificationStatus,
  type NotificationTransition,
} from '@tidewatch/contracts/notifications/notification';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/** The columns of `notifications` that the API returns. Times are ms. */
export interface NotificationRow {
  id: string;
  event_id: string;
  alert_ids: string[];
  alerts: Notification['alerts'];
  channel_kind: ChannelKind;
  channel_id: string | null;
  channel_name: string | null;
  transition: NotificationTransition;
  status: NotificationStatus;
  reason: Notification['reason'];
  attempts: number;
  last_error: string | null;
  created_at: number;
  sent_at: number | null;
}

/** The columns of NotificationRow from `notifications n`. */
export function notificationColumns(sql: Queryable) {
  return sql`n.id, n.event_id, n.channel_kind, n.channel_id, n.channel_name, n.transition, n.status, n.reason, n.attempts,
    n.last_error, n.created_at, n.sent_at,
    array(select distinct a.alert_id from notification_alerts a
      where a.organization_id = n.organization_id and a.notification_id = n.id order by 1) as alert_ids,
    (select coalesce(json_agg(to_json(named)), '[]') from (
      select b.id, b.host, b.rule_name, b.severity, b.summary from alerts b
      where b.organization_id = n.organization_id and b.id in (
        select a.alert_id from notification_alerts a
        where a.organization_id = n.organization_id and a.notification_id = n.id)
      order by b.id limit ${MAX_NAMED_ALERTS}) named) as alerts`;
}

/** A notification as the API returns it and events contain it. */
export function notificationRecord(row: NotificationRow): Notification {
  return {
    id: row.id,
    event_id: row.event_id,
    alert_ids: row.alert_ids,
    alerts: row.alerts,
    channel: { id: row.channel_id, kind: row.channel_kind, name: row.channel_name },
    transition: row.transition,
    status: row.status,
    reason: row.reason,
    attempts: row.attempts,
    last_error: row.last_error,
    created_at: toIso(row.created_at),
    sent_at: row.sent_at === null ? null : toIso(row.sent_at),
  };
}
