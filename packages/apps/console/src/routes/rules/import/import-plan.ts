import type { Schema } from '@tidewatch/api-client/schema';
import type { DocumentRule } from './rule-document.ts';

type Changes = Schema<'RuleSetChanges'>;
type KnownRule = Pick<Schema<'Rule'>, 'id' | 'name' | 'external_id'>;

/** The names of the rules that an import creates, updates and deletes, and how many stay as they are. */
export interface ImportPlan {
  created: string[];
  updated: string[];
  deleted: string[];
  unchanged: number;
}

/**
 * What a dry run found, by names. The ids of created rules name nothing: they are the rules of the document that no known
 * rule has the external id, or the id, of.
 */
export function importPlan(
  changes: Changes,
  document: readonly DocumentRule[],
  known: readonly KnownRule[],
): ImportPlan {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const ids = new Set(known.flatMap(({ id, external_id }) => [id, external_id ?? id]));
  const named = (list: readonly string[]) => list.map((id) => names.get(id) ?? id);
  return {
    created: document
      .filter(({ externalId }) => externalId === null || !ids.has(externalId))
      .map(({ name }) => name),
    updated: named(changes.updated),
    deleted: named(changes.deleted),
    unchanged: changes.unchanged.length,
  };
}
