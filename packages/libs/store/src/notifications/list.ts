import type { Notification, NotificationsQuery } from '@tidewatch/contracts/notifications/notification';
import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import type { ListOrder } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { type NotificationRow, notificationColumns, notificationRecord } from './row.ts';

/** The order of the list of notifications. */
export const NOTIFICATION_ORDERS = {
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Notifications in an order; the sort key is (column, id). */
export function listNotifications(
  sql: Sql,
  organizationId: string,
  { alert_id: alertId, status }: Pick<NotificationsQuery, 'alert_id' | 'status'>,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Notification>> {
  const ofStatus = status === undefined ? sql`` : sql`and n.status = ${status}`;
  const chosen = sql`n.organization_id = ${organizationId} ${ofStatus}
    ${
      alertId === undefined
        ? sql``
        : sql`and n.id in (
            select notification_id from notification_alerts where organization_id = ${organizationId} and alert_id = ${alertId})`
    }`;
  const list = {
    rows: sql`select n.created_at, n.id from notifications n where ${chosen}`,
    total:
      alertId === undefined
        ? sql`select coalesce(sum(count), 0) from notification_counts n where n.organization_id = ${organizationId} ${ofStatus}`
        : sql`select count(*) from notifications n where ${chosen}`,
    columns: notificationColumns(sql),
    joins: sql`join notifications n on n.organization_id = ${organizationId} and n.id = page.id`,
  };
  return readList(sql, list, order, window, notificationRecord);
}

/** Reads one notification; null if it does not exist. */
export async function readNotification(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<Notification | null> {
  const [row] = await sql<NotificationRow[]>`
    select ${notificationColumns(sql)} from notifications n where n.organization_id = ${organizationId} and n.id = ${id}`;
  return row === undefined ? null : notificationRecord(row);
}

/**
 * Queues a notification again, whatever its status, for an attempt at `now` (ms) and retries until `giveUpAt`. A queued one
 * is attempted at once, unless it is a digest that still collects alerts. Returns the notification; null if it does not
 * exist or has no channel.
 */
export async function requeueNotification(
  tx: Transaction,
  of: { organizationId: string; id: string },
  now: number,
  giveUpAt: number,
  audit: AuditTrail,
): Promise<Notification | null> {
  const [former] = await tx<NotificationRow[]>`
    select ${notificationColumns(tx)} from notifications n
    where n.organization_id = ${of.organizationId} and n.id = ${of.id} for update of n`;
  const [row] = await tx<NotificationRow[]>`
    update notifications n set status = 'queued', reason = null, forced = true, give_up_at = ${giveUpAt},
      waits_for = case when n.status = 'queued' then n.waits_for else '{}' end,
      next_attempt_at = case when n.event is null or n.attempting then n.next_attempt_at else ${now}::timestamptz end
    where n.organization_id = ${of.organizationId} and n.id = ${of.id} and n.channel_id is not null
    returning ${notificationColumns(tx)}`;
  if (former === undefined || row === undefined) return null;
  const object = { type: 'notification' as const, id: of.id, name: row.channel_name ?? row.channel_kind };
  await recordAudit(tx, audit, [
    { action: 'notification.redelivered', object, before: stateOf(former), after: stateOf(row) },
  ]);
  return notificationRecord(row);
}

function stateOf({ status, reason, attempts }: NotificationRow) {
  return { status, reason, attempts };
}
