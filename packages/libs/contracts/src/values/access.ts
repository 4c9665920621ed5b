/** The scopes of keys. `write` includes `read`; `admin` all of the organization; `operator` is for the installation. */
export const SCOPES = ['ingest', 'read', 'write', 'admin', 'operator'] as const;

export type Scope = (typeof SCOPES)[number];

/** A stored key without its secret. Times are milliseconds since the epoch. */
export interface KeyRecord {
  id: string;
  organizationId: string;
  name: string;
  scopes: readonly Scope[];
  /** null: the default of the installation. */
  rateLimitPerMinute: number | null;
  /** Hosts that the key may report for; null: any. */
  hosts: readonly string[] | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

/** The last use of a key: at `at` (ms), for these hosts among others. */
export interface KeyUse {
  organizationId: string;
  keyId: string;
  at: number;
  hosts: readonly string[];
}
