import { AsyncLocalStorage } from 'node:async_hooks';

/** Bound in place of an organization by the operator of the installation, who may then list organizations and no more. */
export const INSTALLATION = 'installation';

/** Nothing is bound: row-level security leaves nothing to see. */
const NOBODY = '';

/** Stands in a statement as it is, since a setting takes no parameter. */
const FORM = /^[a-z0-9_]*$/;

interface Bound {
  organization: string;
  signal: AbortSignal | undefined;
}

const bound = new AsyncLocalStorage<Bound>();

/**
 * Runs `work`, and whatever it starts, with the organization bound: statements of a pool that binds see its rows alone.
 * What reads for a client that leaves is cut off by `signal`; without one it runs to its end.
 * Throws RangeError where `organization` is spelled like no id.
 */
export function inOrganization<R>(organization: string, work: () => R, signal?: AbortSignal): R {
  if (!FORM.test(organization)) throw new RangeError('an organization is bound by its id');
  return bound.run({ organization, signal }, work);
}

/** What is bound here: an organization's id, `INSTALLATION`, or the empty text. */
export function boundOrganization(): string {
  return bound.getStore()?.organization ?? NOBODY;
}

/** Aborted once nobody waits any more for what is begun here. */
export function boundSignal(): AbortSignal | undefined {
  return bound.getStore()?.signal;
}

/** Runs what several requests share, so that none of them takes it along when its client leaves. */
export function beyondRequest<R>(work: () => R): R {
  return inOrganization(boundOrganization(), work);
}

/** The statement that binds an organization, for the session or for the transaction alone. */
export function bindingStatement(organization: string, scope: 'session' | 'local'): string {
  return `set ${scope} tidewatch.organization = '${organization}'`;
}
