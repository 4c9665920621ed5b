import { AsyncLocalStorage } from 'node:async_hooks';

/** Bound in place of an organization by the operator of the installation, who may then list organizations and no more. */
export const INSTALLATION = 'installation';

/** Nothing is bound: row-level security leaves nothing to see. */
const NOBODY = '';

/** Stands in a statement as it is, since a setting takes no parameter. */
const FORM = /^[a-z0-9_]*$/;

const bound = new AsyncLocalStorage<string>();

/**
 * Runs `work`, and whatever it starts, with the organization bound: statements of a pool that binds see its rows alone.
 * Throws RangeError where `organization` is spelled like no id.
 */
export function inOrganization<R>(organization: string, work: () => R): R {
  if (!FORM.test(organization)) throw new RangeError('an organization is bound by its id');
  return bound.run(organization, work);
}

/** What is bound here: an organization's id, `INSTALLATION`, or the empty text. */
export function boundOrganization(): string {
  return bound.getStore() ?? NOBODY;
}

/** The statement that binds an organization, for the session or for the transaction alone. */
export function bindingStatement(organization: string, scope: 'session' | 'local'): string {
  return `set ${scope} tidewatch.organization = '${organization}'`;
}
