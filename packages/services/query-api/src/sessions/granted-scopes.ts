import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { SESSION_SCOPES, type SessionKind } from '@tidewatch/contracts/sessions/session';
import type { KeyRecord, Scope } from '@tidewatch/contracts/values/access';
import { hasScope } from '@tidewatch/runtime/auth/authentication';

/** The key that signs in, directly or by a sign-in link that was made with the key. */
export interface Grant {
  key: Pick<KeyRecord, 'scopes'>;
  kind: SessionKind;
  /** The scopes of the link; those of the key by default. */
  scopes?: readonly Scope[];
  readOnly: boolean;
}

/**
 * The scopes of a new session: those of the key or link without `ingest`; only `read` for displays and where asked for.
 * Throws 403 `scope_missing` where none is left.
 */
export function grantedScopes({ key, kind, scopes = key.scopes, readOnly }: Grant): Scope[] {
  const own = SESSION_SCOPES.filter((scope) => scopes.includes(scope) && hasScope(key, scope));
  if (key.scopes.every((scope) => scope === 'ingest'))
    throw new ProblemError('scope_missing', { detail: 'This key can only send samples.' });
  if (!readOnly && kind === 'person' && own.length > 0) return own;
  if (hasScope({ scopes: own }, 'read')) return ['read'];
  throw new ProblemError('scope_missing', { detail: 'The key lacks the scope read.' });
}
