import { toIso } from '@tidewatch/contracts/values/time';
import type { AlertRow } from '../alerts/write-row.ts';
import type { Transaction } from '../connection.ts';

/** An active alert with its rule as it is called now. */
export interface OngoingAlert {
  row: AlertRow;
  rule: { id: string; name: string; runbookUrl: string | null };
}

export type OngoingRow = AlertRow & { rule_now: string; runbook: string | null };

export function ongoingAlert({ rule_now: name, runbook: runbookUrl, ...row }: OngoingRow): OngoingAlert {
  return { row, rule: { id: row.rule_id, name, runbookUrl } };
}

/**
 * Locks alerts that are due by their rule's `renotify_minutes`, at most `limit`. Left out are those that somebody has
 * acknowledged, or that are silenced: these stay due until the silence ends.
 */
export async function lockDueReminders(tx: Transaction, now: number, limit: number): Promise<OngoingAlert[]> {
  const rows = await tx<OngoingRow[]>`
    with rules as materialized (
      select r.org_id, r.id, r.name, r.definition ->> 'runbook_url' as runbook,
        (r.definition ->> 'renotify_minutes')::float8 * interval '1 minute' as every
      from alert_rules r
      where r.deleted_at is null and r.enabled and r.definition ->> 'renotify_minutes' is not null
    )
    select a.*, r.name as rule_now, r.runbook
    from rules r join alert_tellings t on t.org_id = r.org_id and t.rule_id = r.id
      and t.told_at <= ${toIso(now)}::timestamptz - r.every
    join alerts a on a.org_id = t.org_id and a.id = t.alert_id
      and a.status = 'active' and a.acknowledged_at is null and a.silenced_by is null
    limit ${limit} for update of t skip locked`;
  return rows.map(ongoingAlert);
}

/** Notes that these alerts were reminded of at `now` (ms), so that they are due again after as long. */
export async function noteReminded(
  tx: Transaction,
  alerts: readonly { organizationId: string; id: string }[],
  now: number,
): Promise<void> {
  if (alerts.length === 0) return;
  await tx`
    update alert_tellings t set told_at = ${now}
    from json_to_recordset(${JSON.stringify(alerts)}::text::json) as r("organizationId" text, id text)
    where t.org_id = r."organizationId" and t.alert_id = r.id`;
}
