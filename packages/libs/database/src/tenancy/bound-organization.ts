import { AsyncLocalStorage } from 'node:async_hooks';

/** Bound instead of an organization by the operator of the installation, who can only list organizations then. */
export const INSTALLATION = 'installation';

/** The value if no organization is bound: row-level security then hides all rows. */
const NOBODY = '';

/** The allowed characters of an id, since it becomes part of a `set` statement, which takes no parameters. */
const FORM = /^[a-z0-9_]*$/;

interface Bound {
  organization: string;
  signal: AbortSignal | undefined;
}

const bound = new AsyncLocalStorage<Bound>();

/**
 * Runs `work` with the organization bound: statements that it creates in pools with `bindsOrganization` see only that
 * organization's rows. Aborting `signal` (the client disconnected) cancels running statements. Throws RangeError if
 * `organization` is not spelled like an id.
 */
export function inOrganization<R>(organization: string, work: () => R, signal?: AbortSignal): R {
  if (!FORM.test(organization))
    throw new RangeError('an organization must be bound by its id: lower-case letters, digits and _');
  return bound.run({ organization, signal }, work);
}

/** The bound organization id, `INSTALLATION`, or the empty string. */
export function boundOrganization(): string {
  return bound.getStore()?.organization ?? NOBODY;
}

/** The signal that is aborted when the client of the current request disconnects. */
export function boundSignal(): AbortSignal | undefined {
  return bound.getStore()?.signal;
}

/** Runs work that several requests share, without the abort signal of the request that starts it. */
export function beyondRequest<R>(work: () => R): R {
  return inOrganization(boundOrganization(), work);
}

/** The statement that binds an organization, for the session or for the transaction alone. */
export function bindingStatement(organization: string, scope: 'session' | 'local'): string {
  return `set ${scope} tidewatch.organization = '${organization}'`;
}
