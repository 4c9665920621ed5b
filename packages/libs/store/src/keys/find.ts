import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { Queryable } from '@tidewatch/database/connection';
import { readRevisions } from '../revisions/revisions.ts';

/** Finds keys by the SHA-256 of their text, 64 hexadecimal digits; revoked and expired ones too. */
export function findKey(sql: Queryable): (sha256: string) => Promise<KeyRecord | null> {
  return async (sha256) => {
    const [key] = await sql<KeyRecord[]>`
      select id, organization_id as "organizationId", name, scopes, rate_limit_per_minute as "rateLimitPerMinute", hosts,
        expires_at as "expiresAt", revoked_at as "revokedAt"
      from find_key(decode(${sha256}, 'hex'))`;
    return key ?? null;
  };
}

/** What authentication reads: keys by their digest, and the revision that every change of a key raises. */
export function keySource(sql: Queryable) {
  return { find: findKey(sql), revision: async () => (await readRevisions(sql)).keys };
}
