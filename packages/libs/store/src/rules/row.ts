import { channelWarnings, type RuleChannels } from '@tidewatch/contracts/rules/channel-warnings';
import { type Rule, type RuleDefinition, ruleFields } from '@tidewatch/contracts/rules/rule';
import { thresholdWarnings } from '@tidewatch/contracts/rules/threshold-warnings';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';
import type { MetricWarning } from './metric-warnings.ts';

/** A stored rule with the counts of its alert instances. */
export interface RuleRow {
  id: string;
  definition: RuleDefinition;
  version: number;
  created_at: number;
  updated_at: number;
  last_evaluated_at: number | null;
  pending_count: number;
  firing_count: number;
}

/** The columns of RuleRow from `alert_rules r` and `rule_activity a`. */
export function ruleColumns(sql: Queryable) {
  return sql`r.id, r.definition, r.version, r.created_at, r.updated_at, a.last_evaluated_at,
    coalesce(a.pending_count, 0) as pending_count, coalesce(a.firing_count, 0) as firing_count`;
}

/**
 * A rule as the API returns it; `channels` are those of its organization, `unsent` the warnings about metrics that no host sends.
 * The order of its fields is the documented one.
 */
export function ruleAnswer(
  row: RuleRow,
  channels: RuleChannels,
  unsent: ReadonlyMap<string, MetricWarning>,
): Rule {
  const { definition } = row;
  const ofChannels = channelWarnings(definition, channels);
  const ofMetric = unsent.get(definition.metric);
  // The hosts of a rule with missing channels are probably still being set up, so only a likely misspelling of its metric
  // counts.
  const isPrepared = ofChannels.some(({ code }) => code === 'channel_not_configured');
  const isSaid = ofMetric !== undefined && (ofMetric.meant !== undefined || !isPrepared);
  return {
    id: row.id,
    ...inOrder(definition),
    version: row.version,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    state: row.firing_count > 0 ? 'firing' : row.pending_count > 0 ? 'pending' : 'inactive',
    firing_count: row.firing_count,
    last_evaluated_at: row.last_evaluated_at === null ? null : toIso(row.last_evaluated_at),
    warnings: [...ofChannels, ...thresholdWarnings(definition), ...(isSaid ? [ofMetric.warning] : [])],
  };
}

/** Restores the order of fields, since PostgreSQL sorts the members of stored JSON by length. */
function inOrder(definition: RuleDefinition): RuleDefinition {
  const names = Object.keys(ruleFields) as (keyof RuleDefinition)[];
  return Object.fromEntries(names.map((name) => [name, definition[name]])) as unknown as RuleDefinition;
}
