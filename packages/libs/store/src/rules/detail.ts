import type { Rule } from '@tidewatch/contracts/rules/rule';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import { readKnownChannels } from '../channels/list.ts';
import { metricWarnings } from './metric-warnings.ts';
import { type RuleRow, ruleAnswer, ruleColumns } from './row.ts';

const MAX_PENDING = 100;

interface PendingRow {
  service_id: string;
  host: string;
  subject_kind: Subject['kind'];
  subject_name: string;
  pending_since: number;
  value: number;
}

/** A rule that is not deleted, with its pending alert instances, or null. */
export async function readRule(sql: Queryable, organizationId: string, id: string): Promise<Rule | null> {
  const [row, channels, pending] = await Promise.all([
    readRuleRow(sql, organizationId, id),
    readKnownChannels(sql, organizationId),
    sql<PendingRow[]>`
      select p.service_id, s.host, p.subject_kind, p.subject_name, p.pending_since, p.value
      from rule_states p join services s on s.organization_id = p.organization_id and s.id = p.service_id
      where p.organization_id = ${organizationId} and p.rule_id = ${id} and p.state = 'pending'
      order by p.pending_since, s.host, p.subject_name limit ${MAX_PENDING}`,
  ]);
  if (row === null) return null;
  const unsent = await metricWarnings(sql, organizationId, [row.definition.metric]);
  return { ...ruleAnswer(row, channels, unsent), pending: pending.map(pendingAnswer) };
}

/** The row of a rule that is not deleted, or null; with `lock` it is locked until the transaction ends. */
export async function readRuleRow(
  sql: Queryable,
  organizationId: string,
  id: string,
  { lock = false } = {},
): Promise<RuleRow | null> {
  const [row] = await sql<RuleRow[]>`
    select ${ruleColumns(sql)}
    from alert_rules r left join rule_activity a on a.organization_id = r.organization_id and a.rule_id = r.id
    where r.organization_id = ${organizationId} and r.id = ${id} and r.deleted_at is null
    ${lock ? sql`for update of r` : sql``}`;
  return row ?? null;
}

function pendingAnswer(row: PendingRow) {
  return {
    service_id: row.service_id,
    host: row.host,
    subject: { kind: row.subject_kind, name: row.subject_name },
    pending_since: toIso(row.pending_since),
    value: row.value,
  };
}
