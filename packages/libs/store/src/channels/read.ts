import type { KindAndConfig } from '@tidewatch/contracts/channel-config';
import { CHANNEL_KINDS } from '@tidewatch/contracts/rule';
import type { Queryable } from '../connection.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { openConfig, type SealedColumns } from './sealed-config.ts';

/** A channel with its secrets in clear, as senders take it. */
export type StoredDestination = KindAndConfig & { id: string; name: string };

type Row = SealedColumns & { id: string; name: string; kind: KindAndConfig['kind'] };

/**
 * The enabled channels that a rule's `channels` name, by id or by a kind, which stands for its default; each once, in the
 * order of their creation. Throws SecretKeyError where one was encrypted with another key: nothing is lost by trying
 * again once the key is right.
 */
export async function readDestinations(
  sql: Queryable,
  secrets: SecretBox,
  organizationId: string,
  channels: readonly string[],
): Promise<StoredDestination[]> {
  if (channels.length === 0) return [];
  const kinds = CHANNEL_KINDS.filter((kind) => channels.includes(kind));
  const ids = channels.filter((channel) => channel.startsWith('chn_'));
  const rows = await sql<Row[]>`
    select id, name, kind, sealed, nonce, key_id from channels
    where org_id = ${organizationId} and deleted_at is null and enabled and (
      id in (select json_array_elements_text(${JSON.stringify(ids)}::text::json))
      or is_default and kind in (select json_array_elements_text(${JSON.stringify(kinds)}::text::json)))
    order by created_at, id`;
  return rows.map((row) => destinationOf(secrets, organizationId, row));
}

/** One living channel, enabled or not, or null. Throws SecretKeyError. */
export async function readDestination(
  sql: Queryable,
  secrets: SecretBox,
  organizationId: string,
  id: string,
): Promise<StoredDestination | null> {
  const [row] = await sql<Row[]>`
    select id, name, kind, sealed, nonce, key_id from channels
    where org_id = ${organizationId} and id = ${id} and deleted_at is null`;
  return row === undefined ? null : destinationOf(secrets, organizationId, row);
}

/** How many living channels need another key than this one; all organizations together. */
export async function countUnreadable(sql: Queryable, secrets: SecretBox): Promise<number> {
  const [row] = await sql<{ channels: number }[]>`
    select count(*)::int as channels from channels where deleted_at is null and key_id <> ${secrets.keyId}`;
  return row?.channels ?? 0;
}

function destinationOf(secrets: SecretBox, organizationId: string, row: Row): StoredDestination {
  return { ...openConfig(secrets, organizationId, row), id: row.id, name: row.name };
}
