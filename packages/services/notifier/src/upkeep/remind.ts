import { cloudEvent } from '@tidewatch/contracts/events/event';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import { toIso } from '@tidewatch/contracts/values/time';
import { FLAPPING_WITHIN_MS } from '@tidewatch/domain/alerting/flapping';
import { alertLinks } from '@tidewatch/domain/notification/links';
import { type Sql, transact } from '@tidewatch/store/connection';
import { type DueReminder, takeDueReminders, takeWithheld } from '@tidewatch/store/notifications/reminders';
import { appendEvents } from '@tidewatch/store/outbox/append';

/** Alerts that one transaction reminds of. */
const AT_ONCE = 500;

/**
 * Appends `alert.renotified` for the alerts that go on and are due by their rule's `renotify_minutes`, or that nobody was
 * told of for a reason that has passed. Each is reminded of once, whoever else does this; answers how many there were.
 */
export async function remind(
  sql: Sql,
  now: number,
  newId: (prefix: IdPrefix) => string,
  publicUrl: string | null,
): Promise<number> {
  let told = 0;
  for (const take of [
    (tx: Parameters<typeof takeWithheld>[0]) => takeDueReminders(tx, now, AT_ONCE),
    (tx: Parameters<typeof takeWithheld>[0]) => takeWithheld(tx, now - FLAPPING_WITHIN_MS, AT_ONCE),
  ]) {
    told += await transact(sql, async (tx) => {
      const due = await take(tx);
      await appendEvents(
        tx,
        due.map((each) => reminderOf(each, newId('evt'), now, publicUrl)),
      );
      return due.length;
    });
  }
  return told;
}

function reminderOf(
  { organizationId, alert, rule }: DueReminder,
  id: string,
  now: number,
  publicUrl: string | null,
) {
  const links = alertLinks(publicUrl, alert);
  const event = cloudEvent({
    ...{ id, organizationId, type: 'alert.renotified' as const, subject: alert.id, time: toIso(now) },
    data: { alert, rule, links: { alert: links.alert, service: links.service, runbook: rule.runbook_url } },
  });
  return { organizationId, event };
}
