import type { KeyKind } from '@tidewatch/contracts/keys/key';
import type { Session, SessionKind } from '@tidewatch/contracts/sessions/session';
import { SESSION_SCOPES } from '@tidewatch/contracts/sessions/session';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Scope } from '@tidewatch/contracts/values/access';
import type { Queryable } from '@tidewatch/database/connection';

/** A row of `sessions` without its digest, with the name of its key. Times are ms. */
export interface SessionRow {
  id: string;
  key_id: string;
  key_name: string;
  key_kind: KeyKind;
  kind: SessionKind;
  name: string | null;
  scopes: Scope[];
  user_agent: string | null;
  address: string | null;
  created_at: number;
  last_used_at: number;
  confirmed_until: number;
  expires_at: number;
}

/** The columns of SessionRow from `sessions s` joined with `api_keys k`. */
export function sessionColumns(sql: Queryable) {
  return sql`s.id, s.key_id, k.name as key_name, k.kind as key_kind, s.kind, s.name, s.scopes, s.user_agent, s.address, s.created_at,
    s.last_used_at, s.confirmed_until, s.expires_at`;
}

/** A session as the API returns it; `currentId` is the session of the request, if there is one. */
export function sessionAnswer(row: SessionRow, currentId: string | undefined): Session {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    key: { id: row.key_id, name: row.key_name },
    scopes: SESSION_SCOPES.filter((scope) => row.scopes.includes(scope)),
    user_agent: row.user_agent,
    address: row.address,
    created_at: toIso(row.created_at),
    last_used_at: toIso(row.last_used_at),
    confirmed_until: toIso(row.confirmed_until),
    expires_at: toIso(row.expires_at),
    current: row.id === currentId,
  };
}
