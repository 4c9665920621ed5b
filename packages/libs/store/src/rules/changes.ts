import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { Queryable } from '@tidewatch/database/connection';

/** The id and version of a rule, by which changes are detected. */
export interface RuleVersion {
  organizationId: string;
  id: string;
  version: number;
}

/** The fields of a stored rule that the evaluator needs. */
export interface StoredRule extends RuleVersion {
  createdAt: number;
  updatedAt: number;
  definition: RuleDefinition;
  /** Whether the rule has evaluated a sample. */
  evaluated: boolean;
  /**
   * Whether the rule was edited after its last evaluation, so that states of alert instances may come from an earlier
   * version.
   */
  editedSince: boolean;
}

/** A fingerprint of the enabled rules of each organization, cheap enough to be read at each change of the revision. */
export async function readRuleFingerprints(sql: Queryable): Promise<Map<string, string>> {
  const rows = await sql<{ org: string; fingerprint: string }[]>`
    select organization_id as org, count(*) || '/' || sum(hashtextextended(id, version)::numeric) as fingerprint
    from alert_rules where deleted_at is null and enabled group by 1`;
  return new Map(rows.map(({ org, fingerprint }) => [org, fingerprint]));
}

/** Ids and versions of all enabled rules of these organizations. */
export async function readRuleVersions(
  sql: Queryable,
  organizationIds: readonly string[],
): Promise<RuleVersion[]> {
  if (organizationIds.length === 0) return [];
  return sql<RuleVersion[]>`
    select organization_id as "organizationId", id, version from alert_rules
    where deleted_at is null and enabled
      and organization_id in (select json_array_elements_text(${JSON.stringify(organizationIds)}::text::json))`;
}

/**
 * Returns for each rule whether it was deleted or disabled, so that it is no longer evaluated; enabled rules are left out.
 */
export async function readRuleEndings(
  sql: Queryable,
  ids: readonly string[],
): Promise<Map<string, 'rule_deleted' | 'rule_disabled'>> {
  const endings = new Map<string, 'rule_deleted' | 'rule_disabled'>();
  if (ids.length === 0) return endings;
  for (const id of ids) endings.set(id, 'rule_deleted');
  const rows = await sql<{ id: string; enabled: boolean; deleted: boolean }[]>`
    select id, enabled, deleted_at is not null as deleted from alert_rules
    where id in (select json_array_elements_text(${JSON.stringify(ids)}::text::json))`;
  for (const row of rows) {
    if (row.deleted) continue;
    if (row.enabled) endings.delete(row.id);
    else endings.set(row.id, 'rule_disabled');
  }
  return endings;
}

/** Reads the rules in full, including deleted and disabled ones; unknown ids are left out. */
export async function readRules(sql: Queryable, ids: readonly string[]): Promise<StoredRule[]> {
  if (ids.length === 0) return [];
  return sql<StoredRule[]>`
    select r.organization_id as "organizationId", r.id, r.version, r.definition, r.created_at as "createdAt",
      r.updated_at as "updatedAt",
      a.last_evaluated_at is not null as evaluated,
      r.updated_at >= coalesce(a.last_evaluated_at, '-infinity') as "editedSince"
    from alert_rules r left join rule_activity a on a.organization_id = r.organization_id and a.rule_id = r.id
    where r.id in (select json_array_elements_text(${JSON.stringify(ids)}::text::json))
    order by r.id`;
}
