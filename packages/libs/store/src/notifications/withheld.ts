import type { Suppression, Unconfigured } from '@tidewatch/contracts/notifications/notification';
import { DEFAULT_CHANNELS } from '@tidewatch/contracts/rules/rule';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { OFFLINE_METRIC } from '@tidewatch/domain/notification/decide-notice';
import { type OngoingAlert, type OngoingRow, ongoingAlert } from './reminders.ts';
import type { RecheckReason } from './write-plan.ts';

/** The position of an alert in the order in which alerts with withheld notices are checked. */
export interface WithheldPlace {
  organizationId: string;
  alertId: string;
}

/** An alert with withheld notices that may be due now. */
export interface WithheldAlert extends OngoingAlert {
  withheld: RecheckReason[];
}

/** Reads the revision of silences, and whether notices of any alert are withheld, in one statement. */
export async function readWithheldState(
  sql: Queryable,
): Promise<{ silencesRevision: number; isAnyWithheld: boolean }> {
  const [row] = await sql<{ silencesRevision: number; isAnyWithheld: boolean }[]>`
    select coalesce((select revision from revisions where name = 'silences'), 0) as "silencesRevision",
      exists (select from alert_notices where withheld is not null) as "isAnyWithheld"`;
  if (row === undefined) throw new Error('the state of withheld notices was not read');
  return row;
}

/**
 * Checks at most `limit` alerts with withheld notices after `after`; returns those whose reason may have passed, and the
 * last one checked (null at the end). Streams whose last flap is before `calmBefore` (ms) are calm; an event that should
 * send withheld notices counts as lost if it is older than `lostBefore` (ms).
 */
export async function findAlertsToRecheck(
  sql: Queryable,
  after: WithheldPlace | null,
  { calmBefore, lostBefore }: { calmBefore: number; lostBefore: number },
  limit: number,
): Promise<{ passed: WithheldPlace[]; last: WithheldPlace | null }> {
  const rows = await sql<(WithheldPlace & { passed: boolean })[]>`
    with checked as materialized (
      select t.organization_id, t.alert_id, t.withheld, ${isMakingGood(sql, lostBefore)} as being_made_good from alert_notices t
      where t.withheld is not null
        and (t.organization_id, t.alert_id) > (${after?.organizationId ?? ''}, ${after?.alertId ?? ''})
      order by t.organization_id, t.alert_id limit ${limit}
    )
    select l.organization_id as "organizationId", l.alert_id as "alertId", not l.being_made_good and (
      a.status is distinct from 'active'
      or 'changed' = any(l.withheld)
      or 'backfilled' = any(l.withheld) and a.confirmed_at is not null
      or 'silenced' = any(l.withheld) and a.silenced_by is null
      or 'flapping' = any(l.withheld) and not exists (
        select from flapping_streams s where s.organization_id = a.organization_id and s.rule_id = a.rule_id
          and s.service_id = a.service_id and s.subject_kind = a.subject_kind and s.subject_name = a.subject_name
          and s.changed_at > ${calmBefore} and not exists (
            select from jsonb_array_elements(s.notices) x
            left join notifications n on n.organization_id = s.organization_id and n.id = x ->> 'id'
            where coalesce(n.status, '') not in ('queued', 'delivered')))
      or 'host_offline' = any(l.withheld) and exists (
        select from notification_alerts m join notifications n on n.organization_id = m.organization_id and n.id = m.notification_id
        where m.organization_id = a.organization_id and m.alert_id = a.id and n.status = 'suppressed' and n.reason = 'host_offline'
          and not exists (
            select from alerts o
            join notification_alerts om on om.organization_id = o.organization_id and om.alert_id = o.id and om.channel = m.channel
            join notifications s on s.organization_id = om.organization_id and s.id = om.notification_id
              and s.direction = 'opening' and s.status in ('queued', 'delivered')
            where o.organization_id = a.organization_id and o.service_id = a.service_id and o.status = 'active' and not o.shadow
              and o.metric = ${sql.unsafe(`'${OFFLINE_METRIC}'`)}))
    ) as passed
    from checked l left join alerts a on a.organization_id = l.organization_id and a.id = l.alert_id
    order by l.organization_id, l.alert_id`;
  const last = rows.length < limit ? null : (rows.at(-1) ?? null);
  return { passed: rows.filter(({ passed }) => passed), last };
}

function isMakingGood(sql: Queryable, lostBefore: number) {
  return sql`(t.made_good_by is not null and coalesce(t.made_good_at > ${lostBefore}, true))`;
}

/**
 * Locks those alerts that are still active, not locked by others, and have no pending event that sends their withheld
 * notices.
 */
export async function lockWithheld(
  tx: Transaction,
  alerts: readonly WithheldPlace[],
  lostBefore: number,
): Promise<WithheldAlert[]> {
  const rows = await tx<(OngoingRow & { withheld: RecheckReason[] })[]>`
    select a.*, r.name as rule_now, r.definition ->> 'runbook_url' as runbook, t.withheld
    from json_to_recordset(${JSON.stringify(alerts)}::text::json) as k("organizationId" text, "alertId" text)
    join alert_notices t on t.organization_id = k."organizationId" and t.alert_id = k."alertId"
    join alerts a on a.organization_id = t.organization_id and a.id = t.alert_id and a.status = 'active'
    join alert_rules r on r.organization_id = a.organization_id and r.id = a.rule_id
    where t.withheld is not null and not ${isMakingGood(tx, lostBefore)}
    order by t.organization_id, t.alert_id for update of t skip locked`;
  return rows.map(({ withheld, ...row }) => ({ ...ongoingAlert(row), withheld }));
}

/** Deletes the notification states of those alerts that have ended. */
export async function deleteEndedStates(tx: Transaction, alerts: readonly WithheldPlace[]): Promise<void> {
  await tx`
    delete from alert_notices t
    using json_to_recordset(${JSON.stringify(alerts)}::text::json) as k("organizationId" text, "alertId" text)
    where t.organization_id = k."organizationId" and t.alert_id = k."alertId" and t.made_good_by is null and not exists (
      select from alerts a where a.organization_id = t.organization_id and a.id = t.alert_id and a.status = 'active')`;
}

/** The result of a check: which reasons still withhold notices, and the event that sends the others. */
export interface RecheckedAlert extends WithheldPlace {
  withheld: readonly RecheckReason[];
  madeGoodBy: string | null;
}

/** Stores the results of checks of locked alerts. */
export async function writeRecheckedAlerts(
  tx: Transaction,
  alerts: readonly RecheckedAlert[],
  now: number,
): Promise<void> {
  if (alerts.length === 0) return;
  const rows = alerts.map(({ withheld, ...each }) => ({
    ...each,
    withheld: withheld.length === 0 ? null : withheld,
  }));
  await tx`
    update alert_notices t set withheld = r.withheld, made_good_by = r."madeGoodBy",
      made_good_at = case when r."madeGoodBy" is not null then ${now}::timestamptz end
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r("organizationId" text, "alertId" text,
      withheld text[], "madeGoodBy" text)
    where t.organization_id = r."organizationId" and t.alert_id = r."alertId"`;
}

/** Why a suppressed notice is withheld now. */
export interface Outcome {
  organizationId: string;
  id: string;
  status: 'suppressed' | 'not_configured';
  reason: Suppression | Unconfigured;
}

export async function writeOutcomes(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await tx`
    update notifications n set status = r.status, reason = r.reason
    from json_to_recordset(${JSON.stringify(outcomes)}::text::json) as r("organizationId" text, id text, status text,
      reason text)
    where n.organization_id = r."organizationId" and n.id = r.id and n.status = 'suppressed'`;
}

/**
 * Marks at most `limit` active alerts older than `before` (ms) for which nothing was ever planned, so that they are
 * checked: their events may have been lost with a log.
 */
export async function markUnplanned(tx: Transaction, before: number, limit: number): Promise<void> {
  await tx`
    insert into alert_notices (organization_id, alert_id, rule_id, withheld)
    select a.organization_id, a.id, a.rule_id, '{changed}' from alerts a
    where a.status = 'active' and not a.shadow and a.created_at < ${before} and not exists (
      select from alert_notices t where t.organization_id = a.organization_id and t.alert_id = a.id)
    order by 1, 2 limit ${limit}
    on conflict do nothing`;
}

/** A changed rule, or a changed channel by its id and kind. */
export type Changed =
  | { organizationId: string; ruleId: string }
  | { organizationId: string; channelId: string; kind: string };

/** Marks the active alerts whose channels may have changed, so that they are checked. */
export async function markChanged(tx: Transaction, changes: readonly Changed[]): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    insert into alert_notices as t (organization_id, alert_id, rule_id, withheld)
    select distinct a.organization_id, a.id, a.rule_id, '{changed}'::text[]
    from json_to_recordset(${JSON.stringify(changes)}::text::json) as c("organizationId" text, "ruleId" text,
      "channelId" text, kind text)
    join alert_rules r on r.organization_id = c."organizationId" and r.deleted_at is null
      and (r.id = c."ruleId" or r.definition -> 'channels' ?| array[c."channelId", c.kind, ${DEFAULT_CHANNELS}])
      and r.definition -> 'channels' <> '[]'
    join alerts a on a.organization_id = r.organization_id and a.rule_id = r.id and a.status = 'active' and not a.shadow
    order by 1, 2
    on conflict (organization_id, alert_id) do update set
      withheld = array(select distinct unnest(coalesce(t.withheld, '{}') || excluded.withheld))`;
}
