import type { NamedRule, RuleSet, RuleSetChanges } from '@tidewatch/contracts/rules/rule-set';
import type { Transaction } from '@tidewatch/database/connection';
import { type RuleRow, ruleColumns } from './row.ts';
import { changedRule, lockRules, newRule, type RuleWrite, requireRoomForRules, writeRules } from './write.ts';

/**
 * Applies a rule set to the organization, all or nothing, in the caller's transaction. Rules are matched by external id,
 * and stored rules without one by their id.
 */
export async function applyRuleSet(tx: Transaction, write: RuleWrite, set: RuleSet): Promise<RuleSetChanges> {
  await lockRules(tx, write.organizationId);
  const names = set.rules.map((rule) => rule.external_id);
  const before = await readNamedRules(tx, write.organizationId, names, { others: set.prune });
  const plan = planOf(write, set.rules, before);
  const kept = new Set(names);
  const deleted = set.prune ? before.filter((row) => !isKept(row, kept)) : [];
  if (set.dryRun) await requireRoomForRules(tx, write, { ...plan, deleted });
  else await writeRules(tx, write, { ...plan, deleted });
  return {
    created: idsOf(plan.created),
    updated: idsOf(plan.updated),
    unchanged: idsOf(plan.unchanged),
    deleted: idsOf(deleted),
  };
}

function planOf(write: RuleWrite, rules: readonly NamedRule[], before: readonly RuleRow[]) {
  const byExternalId = new Map(before.map((row) => [row.definition.external_id, row]));
  const unnamed = new Map(
    before.filter((row) => row.definition.external_id === null).map((row) => [row.id, row]),
  );
  const created: RuleRow[] = [];
  const updated: RuleRow[] = [];
  const unchanged: RuleRow[] = [];
  for (const definition of rules) {
    const row = byExternalId.get(definition.external_id) ?? unnamed.get(definition.external_id);
    if (row === undefined) {
      created.push(newRule(write, definition));
      continue;
    }
    const changed = changedRule(write, row, definition);
    if (changed === null) unchanged.push(row);
    else updated.push(changed);
  }
  return { created, updated, unchanged };
}

function isKept(row: RuleRow, kept: ReadonlySet<string>): boolean {
  const { external_id: externalId } = row.definition;
  return externalId === null || kept.has(externalId);
}

/**
 * Reads and locks, oldest first, the rules with these external ids, and those without one that have these ids; with
 * `others`, also all other rules with an external id. Deleted rules are left out.
 */
export async function readNamedRules(
  tx: Transaction,
  organizationId: string,
  names: readonly string[],
  { others = false } = {},
): Promise<RuleRow[]> {
  const named = tx`(select json_array_elements_text(${JSON.stringify(names)}::text::json))`;
  return tx<RuleRow[]>`
    select ${ruleColumns(tx)}
    from alert_rules r left join rule_activity a on a.organization_id = r.organization_id and a.rule_id = r.id
    where r.organization_id = ${organizationId} and r.deleted_at is null
      and (r.external_id in ${named} or (r.external_id is null and r.id in ${named})
        ${others ? tx`or r.external_id is not null` : tx``})
    order by r.created_at, r.id
    for update of r`;
}

function idsOf(rows: readonly RuleRow[]): string[] {
  return rows.map(({ id }) => id);
}
