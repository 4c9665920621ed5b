import { hash } from 'node:crypto';
import type { Scope } from '@tidewatch/contracts/values/access';
import type { Sql } from '@tidewatch/database/connection';

export interface ReplacedKey {
  /** The id `key_…`; if a key with this id exists, its text is replaced. */
  id: string;
  name: string;
  scopes: readonly Scope[];
  /** The key's text; only its SHA-256 is stored. */
  text: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Creates a key of the oldest organization, or replaces its text, so that the former text is invalid. */
export async function replaceKey(sql: Sql, { id, name, scopes, text, now }: ReplacedKey): Promise<void> {
  const prefix = `tw_${id.slice(id.indexOf('_') + 1)}`;
  await sql`
    insert into api_keys (organization_id, id, name, prefix, secret_sha256, scopes, created_at)
    select org.id, ${id}, ${name}, ${prefix}, decode(${hash('sha256', text, 'hex')}, 'hex'),
      string_to_array(${scopes.join(',')}, ','), ${now}
    from (select id from organizations order by created_at, id limit 1) as org
    on conflict (organization_id, id) do update set name = excluded.name, prefix = excluded.prefix,
      secret_sha256 = excluded.secret_sha256, scopes = excluded.scopes, created_at = excluded.created_at,
      expires_at = null, revoked_at = null, last_used_at = null`;
}

/** Revokes the keys with this id that are not revoked yet. */
export async function revokeKey(sql: Sql, id: string, now: number): Promise<void> {
  await sql`update api_keys set revoked_at = ${now} where id = ${id} and revoked_at is null`;
}
