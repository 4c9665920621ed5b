import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';

/** So many hosts on which a rule fires within ten minutes have an investigation of their own; further ones share that of the first. */
export const MAX_OF_RULE = 10;
export const STORM_WITHIN_MS = 10 * MINUTE_MS;

/** The investigations that alerts of a rule opened lately. */
export interface RuleInvestigations {
  opened: number;
  /** The id of the earliest. */
  first: string | null;
}

/** An alert that shares the investigation of another host. */
export interface StormAlert {
  org: string;
  alert: string;
  investigation: string;
}

/** Reads what the alerts of rules opened within the last ten minutes, by organization and rule; `now` is the server's clock, ms. */
export async function readOpenedByRules(
  tx: Transaction,
  rules: readonly { org: string; rule: string }[],
  now: number,
): Promise<Map<string, RuleInvestigations>> {
  const wanted = JSON.stringify(rules.map(({ org, rule }) => ({ org, rule })));
  const rows = await tx<{ org: string; rule: string; opened: number; first: string }[]>`
    select w.org, w.rule, count(*)::int as opened, (array_agg(i.id order by i.created_at, i.id))[1] as first
    from (select distinct org, rule from json_to_recordset(${wanted}::text::json) as r (org text, rule text)) w
    join investigations i on i.organization_id = w.org and i.trigger = 'alert' and i.status <> 'cancelled'
      and i.created_at > ${toIso(now - STORM_WITHIN_MS)}::timestamptz
    join alerts a on a.organization_id = i.organization_id and a.id = i.alert_id and a.rule_id = w.rule
    group by w.org, w.rule`;
  return new Map(rows.map(({ org, rule, opened, first }) => [`${org} ${rule}`, { opened, first }]));
}

/** Gives alerts of a storm the investigation of another host, which counts them. */
export async function shareInvestigations(
  tx: Transaction,
  alerts: readonly StormAlert[],
  now: number,
): Promise<void> {
  if (alerts.length === 0) return;
  const rows = JSON.stringify(alerts);
  await tx`
    update alerts a set investigation_id = r.investigation, updated_at = ${toIso(now)}::timestamptz
    from json_to_recordset(${rows}::text::json) as r (org text, investigation text, alert text)
    where a.organization_id = r.org and a.id = r.alert`;
  await tx`
    update investigations i set storm_alerts = i.storm_alerts + r.count, updated_at = ${toIso(now)}::timestamptz
    from (
      select w.org, w.investigation, count(*)::int as count
      from json_to_recordset(${rows}::text::json) as w (org text, investigation text) group by 1, 2
    ) r
    where i.organization_id = r.org and i.id = r.investigation`;
}
