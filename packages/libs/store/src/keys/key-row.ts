import type { Key, KeyKind } from '@tidewatch/contracts/keys/key';
import { toIso } from '@tidewatch/contracts/time/time';
import { SCOPES, type Scope } from '@tidewatch/contracts/values/access';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Queryable } from '@tidewatch/database/connection';
import { actorAnswer } from '../audit/actor-answer.ts';

/** A row of `api_keys` without its digest. Times are ms. */
export interface KeyRow {
  id: string;
  kind: KeyKind;
  name: string;
  prefix: string;
  scopes: Scope[];
  expires_at: number | null;
  revoked_at: number | null;
  rate_limit_per_minute: number | null;
  hosts: string[] | null;
  last_used_at: number | null;
  created_at: number;
  created_by: Actor | null;
  replaces: string | null;
  replaced_by: string | null;
}

/** The length of `tw_` and the start of a key's id, which identifies a key without its secret. */
const SHOWN_CHARACTERS = 11;

/** The columns of KeyRow from `api_keys k`. */
export function keyColumns(sql: Queryable) {
  return sql`k.id, k.kind, k.name, k.prefix, k.scopes, k.expires_at, k.revoked_at, k.rate_limit_per_minute, k.hosts,
    k.last_used_at, k.created_at, k.created_by, k.replaces, k.replaced_by`;
}

/** A key as the API returns it; the order of its fields is the documented one. */
export function keyAnswer(row: KeyRow): Key {
  const time = (ms: number | null) => (ms === null ? null : toIso(ms));
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    prefix: row.prefix.slice(0, SHOWN_CHARACTERS),
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
    expires_at: time(row.expires_at),
    revoked_at: time(row.revoked_at),
    rate_limit_per_minute: row.rate_limit_per_minute,
    hosts: row.hosts,
    last_used_at: time(row.last_used_at),
    created_at: toIso(row.created_at),
    created_by: row.created_by && actorAnswer(row.created_by),
    replaces: row.replaces,
    replaced_by: row.replaced_by,
  };
}
