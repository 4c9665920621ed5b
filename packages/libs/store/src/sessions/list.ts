import type { Session } from '@tidewatch/contracts/sessions/session';
import type { Scope } from '@tidewatch/contracts/values/access';
import type { Queryable, Sql } from '@tidewatch/database/connection';
import { OLDEST_FIRST } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { type SessionRow, sessionAnswer, sessionColumns } from './session-row.ts';

/** Which sessions of an organization are seen: all, one, or those of a key that may do no more than `scopes`. */
export type SessionSight = 'all' | { id: string } | { keyId: string; scopes: readonly Scope[] };

export interface SessionFilter {
  organizationId: string;
  sight: SessionSight;
  /** Those that have not ended at this time, ms. */
  now: number;
  /** Sessions of persons that were not used after this time (ms) have ended. */
  usedAfter: number;
}

/** The condition of sessions `s` with their keys `k` that are open and seen. */
function chosen(sql: Queryable, { organizationId, sight, now, usedAfter }: SessionFilter) {
  const seen =
    sight === 'all'
      ? sql``
      : 'id' in sight
        ? sql`and s.id = ${sight.id}`
        : sql`and s.key_id = ${sight.keyId} and s.scopes <@ string_to_array(${sight.scopes.join(',')}, ',')`;
  return sql`s.organization_id = ${organizationId} and s.expires_at > ${now}::timestamptz
    and (s.kind = 'display' or s.last_used_at > ${usedAfter}::timestamptz)
    and (k.revoked_at is null or k.revoked_at > ${now}::timestamptz)
    and (k.expires_at is null or k.expires_at > ${now}::timestamptz) ${seen}`;
}

function joined(sql: Queryable) {
  return sql`sessions s join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id`;
}

/** Open sessions by creation, oldest first; the sort key is (created_at in ms, id). */
export function listSessions(
  sql: Sql,
  filter: SessionFilter,
  currentId: string | undefined,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Session>> {
  const list = {
    rows: sql`
      select created_at, id from (select s.created_at, s.id from ${joined(sql)} where ${chosen(sql, filter)}) l where true`,
    total: sql`select count(*) from ${joined(sql)} where ${chosen(sql, filter)}`,
    columns: sessionColumns(sql),
    joins: sql`join ${joined(sql)} on s.organization_id = ${filter.organizationId} and s.id = page.id`,
  };
  return readList(sql, list, OLDEST_FIRST, window, (row: SessionRow) => sessionAnswer(row, currentId));
}

/** Whether an open session with this id is seen. */
export async function seesSession(sql: Queryable, filter: SessionFilter, id: string): Promise<boolean> {
  const rows = await sql`select 1 from ${joined(sql)} where ${chosen(sql, filter)} and s.id = ${id}`;
  return rows.length === 1;
}
