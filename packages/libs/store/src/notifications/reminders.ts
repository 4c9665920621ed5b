import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import type { AlertRow } from '../alerts/write-row.ts';

/** An active alert with the current name of its rule. */
export interface OngoingAlert {
  row: AlertRow;
  rule: { id: string; name: string; runbookUrl: string | null };
}

export type OngoingRow = AlertRow & { rule_now: string; runbook: string | null };

export function ongoingAlert({ rule_now: name, runbook: runbookUrl, ...row }: OngoingRow): OngoingAlert {
  return { row, rule: { id: row.rule_id, name, runbookUrl } };
}

/**
 * Locks at most `limit` alerts that are due for a reminder (`renotify_minutes`), from organizations in turn, so that an
 * alert storm of one organization delays no other. Skips acknowledged and silenced alerts; silenced ones stay due. Outside of a
 * transaction the locks end at once.
 */
export async function lockDueReminders(tx: Queryable, now: number, limit: number): Promise<OngoingAlert[]> {
  const every = tx`(r.definition ->> 'renotify_minutes')::float8 * interval '1 minute'`;
  const reminds = tx`r.deleted_at is null and r.enabled and r.definition ->> 'renotify_minutes' is not null`;
  const rows = await tx<OngoingRow[]>`
    with due as materialized (
      select o.organization_id, d.alert_id, row_number() over (partition by o.organization_id) as turn
      from (select distinct r.organization_id from alert_rules r where ${reminds}) o cross join lateral (
        select t.alert_id
        from alert_rules r join alert_notices t on t.organization_id = r.organization_id and t.rule_id = r.id
          and t.notified_at <= ${toIso(now)}::timestamptz - ${every}
        join alerts a on a.organization_id = t.organization_id and a.id = t.alert_id
          and a.status = 'active' and a.acknowledged_at is null and a.silenced_by is null
        where r.organization_id = o.organization_id and ${reminds} limit ${limit}) d
      order by turn limit ${limit}
    )
    select a.*, r.name as rule_now, r.definition ->> 'runbook_url' as runbook
    from due d join alert_notices t on t.organization_id = d.organization_id and t.alert_id = d.alert_id
    join alert_rules r on r.organization_id = t.organization_id and r.id = t.rule_id
      and t.notified_at <= ${toIso(now)}::timestamptz - ${every}
    join alerts a on a.organization_id = t.organization_id and a.id = t.alert_id
    for update of t skip locked`;
  return rows.map(ongoingAlert);
}

/** Records that reminders of these alerts were sent at `now` (ms), from which the next interval counts. */
export async function recordReminders(
  tx: Transaction,
  alerts: readonly { organizationId: string; id: string }[],
  now: number,
): Promise<void> {
  if (alerts.length === 0) return;
  await tx`
    update alert_notices t set notified_at = ${now}
    from json_to_recordset(${JSON.stringify(alerts)}::text::json) as r("organizationId" text, id text)
    where t.organization_id = r."organizationId" and t.alert_id = r.id`;
}
