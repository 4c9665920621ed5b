import type { ProblemCode } from '@tidewatch/contracts/problems/problem-codes';
import { PRIVILEGED_SCOPES } from '@tidewatch/contracts/sessions/session';
import type { KeyRecord, RequiredScope, SessionRecord } from '@tidewatch/contracts/values/access';
import { hasScope } from '@tidewatch/runtime/auth/authentication';

/** A key for which a session acts. */
export type SessionKey = KeyRecord & { session: SessionRecord };

/** Whether a scope can be used for a limited time only. */
export function isPrivileged(scope: RequiredScope): boolean {
  return PRIVILEGED_SCOPES.some((each) => each === scope);
}

/** The session with only those of its scopes that its key has, too. */
export function withinKey(key: SessionKey): SessionKey {
  const scopes = key.scopes.filter((scope) => hasScope({ scopes: key.session.keyScopes }, scope));
  return { ...key, scopes };
}

/** Why a session may not do at `now` (ms) what needs the scope; undefined where it may. Persons' sessions end after `idleMs`. */
export function sessionFault(
  key: SessionKey,
  scope: RequiredScope,
  { now, idleMs }: { now: number; idleMs: number },
): Extract<ProblemCode, 'session_ended' | 'scope_missing' | 'confirmation_needed'> | undefined {
  const { revokedAt, expiresAt, session } = key;
  const isIdle = session.kind === 'person' && session.lastUsedAt + idleMs <= now;
  if (session.expiresAt <= now || isIdle) return 'session_ended';
  if ((revokedAt !== null && revokedAt <= now) || (expiresAt !== null && expiresAt <= now))
    return 'session_ended';
  if (!hasScope(key, scope)) return 'scope_missing';
  return isPrivileged(scope) && session.confirmedUntil <= now ? 'confirmation_needed' : undefined;
}
