/**
 * The scopes of API keys. `write` includes `read`; `admin` includes everything in the organization; `operator` is for the
 * installation.
 */
export const SCOPES = ['ingest', 'read', 'write', 'admin', 'operator'] as const;

export type Scope = (typeof SCOPES)[number];

/** What an endpoint asks of a key: one scope, or any. */
export type RequiredScope = Scope | 'any';

/** For each scope, the scopes that include it. */
const OPENED_BY: Readonly<Record<RequiredScope, readonly Scope[]>> = {
  any: SCOPES,
  ingest: ['ingest', 'admin'],
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
  operator: ['operator'],
};

/** Whether somebody with the scopes `held` may do what needs `scope`. */
export function includesScope(held: readonly Scope[], scope: RequiredScope): boolean {
  for (const each of OPENED_BY[scope]) if (held.includes(each)) return true;
  return false;
}

/** A stored key without its secret. Times are milliseconds since the epoch. */
export interface KeyRecord {
  id: string;
  organizationId: string;
  name: string;
  scopes: readonly Scope[];
  /** The limit of requests per minute; null for the default of the installation. */
  rateLimitPerMinute: number | null;
  /** The hosts that the key may report for; null for any. */
  hosts: readonly string[] | null;
  expiresAt: number | null;
  revokedAt: number | null;
  /** The session that acts for the key; absent where the key itself was sent. `scopes` are then those of the session. */
  session?: SessionRecord;
}

/** A stored session without its token. Times are milliseconds since the epoch. */
export interface SessionRecord {
  id: string;
  kind: 'person' | 'display';
  /** The scopes of its key. */
  keyScopes: readonly Scope[];
  lastUsedAt: number;
  /** Until when its privileged scopes can be used. */
  confirmedUntil: number;
  expiresAt: number;
}

/** The last use of a key at `at` (ms), with some of the hosts that it was used for. */
export interface KeyUse {
  organizationId: string;
  keyId: string;
  at: number;
  hosts: readonly string[];
}
