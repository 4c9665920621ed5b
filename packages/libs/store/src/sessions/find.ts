import type { KeyRecord, Scope, SessionRecord } from '@tidewatch/contracts/values/access';
import type { Queryable } from '@tidewatch/database/connection';
import { readRevisions } from '../revisions/revisions.ts';

/** The columns of a key that find_session and find_sign_in_link return. Times are ms. */
type KeyColumns = Omit<KeyRecord, 'session'>;

interface SessionColumns {
  sessionId: string;
  kind: SessionRecord['kind'];
  sessionScopes: Scope[];
  lastUsedAt: number;
  confirmedUntil: number;
  sessionExpiresAt: number;
}

/** A sign-in link and the key that it signs in for, which may be revoked or expired. Times are ms. */
export interface FoundLink {
  id: string;
  kind: SessionRecord['kind'];
  name: string;
  scopes: readonly Scope[];
  expiresAt: number;
  usedAt: number | null;
  key: KeyRecord;
}

interface LinkColumns {
  linkId: string;
  linkKind: SessionRecord['kind'];
  linkName: string;
  linkScopes: Scope[];
  linkExpiresAt: number;
  usedAt: number | null;
}

/** The key's columns under the names of `KeyRecord`. */
function keyColumns(sql: Queryable) {
  return sql`id, organization_id as "organizationId", name, scopes, rate_limit_per_minute as "rateLimitPerMinute", hosts,
    expires_at as "expiresAt", revoked_at as "revokedAt"`;
}

/** Finds a session by the SHA-256 of its token, 64 hexadecimal digits, as its key with the scopes of the session; null where there is none. */
export function findSession(sql: Queryable): (sha256: string) => Promise<KeyRecord | null> {
  return async (sha256) => {
    const [row] = await sql<(KeyColumns & SessionColumns)[]>`
      select ${keyColumns(sql)}, session_id as "sessionId", kind, session_scopes as "sessionScopes",
        last_used_at as "lastUsedAt", confirmed_until as "confirmedUntil", session_expires_at as "sessionExpiresAt"
      from find_session(decode(${sha256}, 'hex'))`;
    if (row === undefined) return null;
    const { sessionId, kind, sessionScopes, lastUsedAt, confirmedUntil, sessionExpiresAt, ...key } = row;
    const session = {
      id: sessionId,
      kind,
      keyScopes: key.scopes,
      lastUsedAt,
      confirmedUntil,
      expiresAt: sessionExpiresAt,
    };
    return { ...key, scopes: sessionScopes, session };
  };
}

/**
 * The source of sessions for authentication: find by digest, and a revision that rises whenever a session or a key is changed
 * or ends.
 */
export function sessionSource(sql: Queryable) {
  const revision = async () => {
    const { keys, sessions } = await readRevisions(sql);
    return keys + sessions;
  };
  return { find: findSession(sql), revision };
}

/** Finds a sign-in link by the SHA-256 of its secret, used and expired ones too. */
export async function findSignInLink(sql: Queryable, sha256: string): Promise<FoundLink | null> {
  const [row] = await sql<(KeyColumns & LinkColumns)[]>`
    select ${keyColumns(sql)}, link_id as "linkId", kind as "linkKind", link_name as "linkName",
      link_scopes as "linkScopes", link_expires_at as "linkExpiresAt", used_at as "usedAt"
    from find_sign_in_link(decode(${sha256}, 'hex'))`;
  if (row === undefined) return null;
  const { linkId, linkKind, linkName, linkScopes, linkExpiresAt, usedAt, ...key } = row;
  return {
    id: linkId,
    kind: linkKind,
    name: linkName,
    scopes: linkScopes,
    expiresAt: linkExpiresAt,
    usedAt,
    key,
  };
}

/** The eight digits in the names of this installation's cookies. */
export async function readCookieId(sql: Queryable): Promise<string> {
  const [row] = await sql<{ cookie_id: string }[]>`select cookie_id from installation`;
  if (row === undefined) throw new Error('the table installation has no row');
  return row.cookie_id;
}

/** The open sessions of all organizations; those of persons were used after `usedAfter` (ms). */
export async function countOpenSessions(sql: Queryable, usedAfter: number): Promise<number> {
  const [row] = await sql<{ open: number }[]>`select count_open_sessions(${usedAfter}::timestamptz) as open`;
  return row?.open ?? 0;
}
