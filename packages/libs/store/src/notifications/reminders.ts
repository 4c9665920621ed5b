import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { toIso } from '@tidewatch/contracts/values/time';
import { OFFLINE_METRIC } from '@tidewatch/domain/notification/suppression';
import { type AlertRow, alertRecord } from '../alerts/write-row.ts';
import type { Transaction } from '../connection.ts';

/** An alert that goes on and has to be told once more. */
export interface DueReminder {
  organizationId: string;
  alert: Alert;
  rule: { id: string; name: string; runbook_url: string | null };
}

type DueRow = AlertRow & { rule_now: string; runbook: string | null };

/**
 * Alerts that are due by their rule's `renotify_minutes`, at most `limit`; from here on they are due again after as long.
 * Left out are those that somebody has acknowledged or silenced: they are looked at again after as long, too.
 */
export async function takeDueReminders(tx: Transaction, now: number, limit: number): Promise<DueReminder[]> {
  const rows = await tx<DueRow[]>`
    with rules as materialized (
      select r.org_id, r.id, r.name, r.definition ->> 'runbook_url' as runbook,
        (r.definition ->> 'renotify_minutes')::float8 * interval '1 minute' as every
      from alert_rules r
      where r.deleted_at is null and r.enabled and r.definition ->> 'renotify_minutes' is not null
    ), due as materialized (
      select t.org_id, t.alert_id, r.name, r.runbook
      from rules r join alert_tellings t on t.org_id = r.org_id and t.rule_id = r.id
        and t.told_at <= ${toIso(now)}::timestamptz - r.every
      limit ${limit} for update of t skip locked
    ), taken as (
      update alert_tellings t set told_at = ${now} from due where t.org_id = due.org_id and t.alert_id = due.alert_id
    )
    select a.*, due.name as rule_now, due.runbook from due
    join alerts a on a.org_id = due.org_id and a.id = due.alert_id
    where a.status = 'active' and a.acknowledged_at is null and a.silenced_by is null`;
  return rows.map(dueOf);
}

/**
 * Alerts that nobody was told of for a reason that has passed by now: their host is back, or they are calm. `calmBefore`
 * (ms) is when a stream that flapped must have changed last. At most `limit`; each is answered once.
 */
export async function takeWithheld(
  tx: Transaction,
  calmBefore: number,
  limit: number,
): Promise<DueReminder[]> {
  const rows = await tx<DueRow[]>`
    with due as materialized (
      select t.org_id, t.alert_id, a.status
      from alert_tellings t
      join alerts a on a.org_id = t.org_id and a.id = t.alert_id
      where t.withheld is not null and (
        a.status <> 'active'
        or t.withheld = 'host_offline' and not exists (
          select 1 from alerts o where o.org_id = a.org_id and o.service_id = a.service_id and o.status = 'active'
            and not o.shadow and not o.backfilled and o.metric = ${OFFLINE_METRIC})
        or t.withheld = 'flapping' and not exists (
          select 1 from flapping_streams s where s.org_id = a.org_id and s.rule_id = a.rule_id
            and s.service_id = a.service_id and s.subject_kind = a.subject_kind and s.subject_name = a.subject_name
            and s.changed_at > ${calmBefore}))
      limit ${limit} for update of t skip locked
    ), taken as (
      update alert_tellings t set withheld = null from due where t.org_id = due.org_id and t.alert_id = due.alert_id
    )
    select a.*, r.name as rule_now, r.definition ->> 'runbook_url' as runbook from due
    join alerts a on a.org_id = due.org_id and a.id = due.alert_id
    join alert_rules r on r.org_id = a.org_id and r.id = a.rule_id
    where due.status = 'active'`;
  return rows.map(dueOf);
}

function dueOf({ rule_now: name, runbook, ...row }: DueRow): DueReminder {
  const rule = { id: row.rule_id, name, runbook_url: runbook };
  return { organizationId: row.org_id, alert: alertRecord(row), rule };
}
