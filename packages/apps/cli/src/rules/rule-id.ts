import { entries } from '@tidewatch/api-client/pages';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { NotFoundError } from '../not-found-error.ts';
import type { Session } from '../session.ts';

/** Finds the id of a rule by its id, external id or name. Throws NotFoundError, and UsageError if several have the name. */
export async function ruleIdOf(session: Session, which: string): Promise<string> {
  if (which.startsWith('rul_')) return which;
  const named: string[] = [];
  for await (const rule of entries(session.client(), '/api/v1/alerts/rules', 'rules', {})) {
    if (rule.external_id === which) return rule.id;
    if (rule.name === which) named.push(rule.id);
  }
  const [id] = named;
  if (id === undefined)
    throw new NotFoundError(
      `no rule has the external id or name ${which}: tidewatch rules list shows all names`,
    );
  if (named.length > 1) throw new UsageError(`${named.length} rules have the name ${which}: give the id`);
  return id;
}
