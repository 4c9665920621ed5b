import { type RuleSetChanges, readRuleSet } from '@tidewatch/contracts/rules/rule-set';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { STARTER_RULES } from '@tidewatch/domain/rules/starter-rules';
import { readNamedRules } from './apply-set.ts';
import { lockRules, newRule, type RuleWrite, writeRules } from './write.ts';

/** Creates the missing rules of the starter set; existing ones are not changed. */
export async function installStarterSet(tx: Transaction, write: RuleWrite): Promise<RuleSetChanges> {
  const { organizationId } = write;
  await lockRules(tx, organizationId);
  const rules = await starterRules();
  const names = rules.map((rule) => rule.external_id);
  const present = await readNamedRules(tx, organizationId, names);
  const known = new Set(present.map((row) => row.definition.external_id));
  const created = rules.filter((rule) => !known.has(rule.external_id)).map((rule) => newRule(write, rule));
  await writeRules(tx, write, { created });
  return {
    created: created.map(({ id }) => id),
    updated: [],
    unchanged: present.map(({ id }) => id),
    deleted: [],
  };
}

/**
 * Installs the starter set for the first organization if the installation never had a rule or a host. Returns how many
 * rules were created: 0 at every later start, even if these rules were deleted.
 */
export async function installAtFirstStart(
  sql: Sql,
  { now, newId }: Pick<RuleWrite, 'now' | 'newId'>,
): Promise<number> {
  const created = await sql.begin(async (tx) => {
    const [first] = await tx<{ id: string }[]>`
      select id from organizations order by created_at, id limit 1`;
    if (first === undefined) return 0;
    await lockRules(tx, first.id);
    const [used] = await tx`
      select 1 from alert_rules union all select 1 from services limit 1`;
    if (used !== undefined) return 0;
    const write = { organizationId: first.id, now, newId, audit: null, maxRules: Number.MAX_SAFE_INTEGER };
    return (await installStarterSet(tx, write)).created.length;
  });
  return created as number;
}

async function starterRules() {
  const read = await readRuleSet({ rules: STARTER_RULES });
  if ('errors' in read) throw new TypeError(`the starter set is faulty: ${JSON.stringify(read.errors)}`);
  return read.set.rules;
}
