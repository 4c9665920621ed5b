import type { Rule } from '@tidewatch/contracts/rules/rule';
import { api } from '../../../api/client.ts';
import type { Draft } from '../../../form/form-state.ts';
import type { VersionedRule } from '../read-rules.ts';
import { draftOf, patchBetween } from './draft.ts';

/** Stores a rule: a new one, or what a draft changes of that version. Rejects with 412 if there is a newer version. */
export async function saveRule(
  draft: Draft,
  over: VersionedRule | null,
  fields: readonly string[],
): Promise<Rule> {
  if (over === null) return (await api.post('/api/v1/alerts/rules', { body: draft as never })) as Rule;
  const patch = patchBetween(draftOf(over.rule, fields), draft);
  return (await api.patch('/api/v1/alerts/rules/{id}', {
    params: { path: { id: over.rule.id }, header: { 'If-Match': over.etag } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: patch as never,
  })) as Rule;
}
