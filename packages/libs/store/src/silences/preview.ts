import type { SilenceMatchers } from '@tidewatch/contracts/silences/silence';
import {
  MAX_PREVIEWED,
  type MatchedAlert,
  type SilencePreview,
} from '@tidewatch/contracts/silences/silence-preview';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { CompiledSilence } from '@tidewatch/domain/silence/silence';
import { readByCursor } from '../lists/by-cursor.ts';
import { type SilenceableAlert, silenceableColumns } from './ends.ts';

type AlertRow = SilenceableAlert & {
  rule_name: string;
  service_id: string;
  summary: string;
  silenced_by: string | null;
};

/** What a silence with these matchers would mute now; hosts and alerts are read by cursor and matched one by one. */
export async function previewSilence(
  sql: Sql,
  organizationId: string,
  matchers: SilenceMatchers,
): Promise<SilencePreview> {
  const silence = new CompiledSilence({
    id: '',
    organizationId,
    matchers,
    from: 0,
    until: 1,
    recurrence: null,
    timezone: 'UTC',
    endsAt: 1,
    endedAt: Number.POSITIVE_INFINITY,
  });
  const services = await sql.begin((tx) => matchHosts(tx, organizationId, silence));
  const { rules, ...alerts } = await sql.begin((tx) => matchAlerts(tx, organizationId, matchers, silence));
  return { maintenance: silence.isWhole, services, alerts, rules };
}

async function matchHosts(tx: Transaction, organizationId: string, silence: CompiledSilence) {
  const found: SilencePreview['services'] = { total: 0, list: [] };
  const statement = tx`
    select id, host, tags from services
    where organization_id = ${organizationId} and deleted_at is null and archived_at is null order by host, id`;
  for await (const rows of readByCursor<{ id: string; host: string; tags: Record<string, string> }>(
    tx,
    statement,
  ))
    for (const { id, host, tags } of rows) {
      if (!silence.matchesHost(host, tags)) continue;
      found.total += 1;
      if (found.list.length < MAX_PREVIEWED) found.list.push({ id, name: host });
    }
  return found;
}

async function matchAlerts(
  tx: Transaction,
  organizationId: string,
  { rule_ids: ruleIds, severities }: SilenceMatchers,
  silence: CompiledSilence,
): Promise<SilencePreview['alerts'] & Pick<SilencePreview, 'rules'>> {
  const found = { total: 0, critical: 0, warning: 0, info: 0, silenced: 0, list: [] as MatchedAlert[] };
  const rules = new Map<string, { id: string; name: string; alerts: number }>();
  const statement = tx`
    select ${silenceableColumns(tx)}, a.rule_name, a.service_id, a.summary, a.silenced_by from alerts a
    left join services h on h.organization_id = a.organization_id and h.id = a.service_id
    where a.organization_id = ${organizationId} and a.status = 'active' and not a.shadow
      ${ruleIds.length === 0 ? tx`` : tx`and a.rule_id = any(${ruleIds}::text[])`}
      ${severities.length === 0 ? tx`` : tx`and a.severity = any(${severities}::text[])`}
    order by a.fired_at desc, a.id desc`;
  for await (const rows of readByCursor<AlertRow>(tx, statement))
    for (const row of rows) {
      if (!silence.matchesAlert(row) || !silence.matchesHost(row.host, row.tags)) continue;
      found.total += 1;
      found[row.severity] += 1;
      if (row.silenced_by !== null) found.silenced += 1;
      if (found.list.length < MAX_PREVIEWED) found.list.push(alertOf(row));
      const rule = rules.get(row.ruleId) ?? { id: row.ruleId, name: row.rule_name, alerts: 0 };
      rule.alerts += 1;
      rules.set(row.ruleId, rule);
    }
  const noisiest = [...rules.values()].sort((a, b) => b.alerts - a.alerts || (a.id < b.id ? -1 : 1));
  return { ...found, rules: noisiest.slice(0, MAX_PREVIEWED) };
}

function alertOf(row: AlertRow): MatchedAlert {
  return {
    id: row.id,
    rule_id: row.ruleId,
    rule_name: row.rule_name,
    service_id: row.service_id,
    host: row.host,
    severity: row.severity,
    summary: row.summary,
    fired_at: toIso(row.firedAt),
    silenced_by: row.silenced_by,
  };
}
