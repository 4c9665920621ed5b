import { type Sql, transact } from '@tidewatch/database/connection';
import { alertEvent } from '@tidewatch/store/alerts/alert-event';
import { notifiedAlertOf } from '@tidewatch/store/alerts/notified-alert';
import { lockDueReminders, recordReminders } from '@tidewatch/store/notifications/reminders';
import { appendEvents } from '@tidewatch/store/outbox/append';
import { NoticeFacts } from '../planning/notice-facts.ts';
import type { PlanningOptions } from '../planning/planning-options.ts';

/** Max number of alerts in one transaction. */
const BATCH_SIZE = 500;

/**
 * Emits `alert.renotified` for active alerts that are due by their rule's `renotify_minutes`. Row locks prevent several
 * notifiers from emitting an event twice; a silenced alert stays due until the silence ends. Returns whether any was due.
 */
export async function remind(
  sql: Sql,
  now: number,
  options: PlanningOptions & { publicUrl: string | null },
): Promise<boolean> {
  const { newId, publicUrl } = options;
  // Nearly always nothing is due, which a statement by itself finds for less than a transaction.
  if ((await lockDueReminders(sql, now, 1)).length === 0) return false;
  return transact(sql, async (tx) => {
    const due = await lockDueReminders(tx, now, BATCH_SIZE);
    if (due.length === 0) return false;
    const states = due.map(({ row }) => notifiedAlertOf(row));
    const facts = await NoticeFacts.read(tx, states, now, options);
    const audible = due.filter((_, i) => !facts.isSilenced(states[i] as (typeof states)[number]));
    await recordReminders(
      tx,
      audible.map(({ row }) => ({ organizationId: row.organization_id, id: row.id })),
      now,
    );
    await appendEvents(
      tx,
      audible.map(({ row, rule }) => ({
        organizationId: row.organization_id,
        event: alertEvent(newId('evt'), 'alert.renotified', row, rule, { now, publicUrl }),
      })),
    );
    return true;
  });
}
