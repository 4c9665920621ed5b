import type { Key, KeyDetail, KeysQuery } from '@tidewatch/contracts/keys/key';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable, Sql } from '@tidewatch/database/connection';
import { contains } from '../lists/contains.ts';
import { OLDEST_FIRST } from '../lists/order.ts';
import type { Fragment } from '../lists/page-rows.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { type KeyRow, keyAnswer, keyColumns } from './key-row.ts';

/** The filter of the list of keys at `now`, ms; undefined fields do not filter. `q` is a literal part of the name. */
export type KeyFilter = Pick<KeysQuery, 'q' | 'status'> & { now: number };

/** Keys by creation, oldest first, including revoked ones; the sort key is (created_at in ms, id). */
export function listKeys(
  sql: Sql,
  organizationId: string,
  { q, status, now }: KeyFilter,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Key>> {
  const chosen = sql`k.organization_id = ${organizationId} ${ofStatus(sql, status, now)}
    ${contains(sql, q, { folded: sql`lower(k.name collate "C")`, text: sql`k.name` })}`;
  const list = {
    rows: sql`select k.created_at, k.id from api_keys k where ${chosen}`,
    total: sql`select count(*) from api_keys k where ${chosen}`,
    columns: keyColumns(sql),
    joins: sql`join api_keys k on k.organization_id = ${organizationId} and k.id = page.id`,
  };
  return readList(sql, list, OLDEST_FIRST, window, keyAnswer);
}

/** The condition of keys `k` of a status at `now`, ms; empty for any. */
function ofStatus(sql: Sql, status: KeysQuery['status'], now: number): Fragment {
  const valid = sql`and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}::timestamptz)`;
  switch (status) {
    case undefined:
      return sql``;
    case 'valid':
      return valid;
    case 'replaced':
      return sql`${valid} and k.replaced_by is not null`;
    case 'expired':
      return sql`and k.revoked_at is null and k.expires_at <= ${now}::timestamptz`;
    case 'revoked':
      return sql`and k.revoked_at is not null`;
  }
}

/** The row of a key, or null; with `lock` it is locked until the transaction ends. */
export async function readKeyRow(
  sql: Queryable,
  organizationId: string,
  id: string,
  { lock = false } = {},
): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`
    select ${keyColumns(sql)} from api_keys k where k.organization_id = ${organizationId} and k.id = ${id}
    ${lock ? sql`for update` : sql``}`;
  return row ?? null;
}

/** A key with the hosts that used it last, or null. */
export async function readKey(sql: Sql, organizationId: string, id: string): Promise<KeyDetail | null> {
  const row = await readKeyRow(sql, organizationId, id);
  if (row === null) return null;
  const hosts = await sql<{ host: string; last_used_at: number }[]>`
    select host, last_used_at from key_hosts where organization_id = ${organizationId} and key_id = ${id}
    order by last_used_at desc, host`;
  return {
    ...keyAnswer(row),
    recent_hosts: hosts.map(({ host, last_used_at }) => ({ host, last_used_at: toIso(last_used_at) })),
  };
}
