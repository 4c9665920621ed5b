import type { KindAndConfig } from '@tidewatch/contracts/channels/channel-config';
import type { Queryable } from '../database/connection.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { openConfig, type SealedColumns } from './sealed-config.ts';

/** A channel with its secrets in clear, as senders take it. */
export type StoredDestination = KindAndConfig & { id: string; name: string };

type Row = SealedColumns & { id: string; name: string; kind: KindAndConfig['kind'] };

/**
 * One living channel, enabled or not, or null. Throws SecretKeyError where it was encrypted with another key: nothing is
 * lost by trying again once the key is right.
 */
export async function readDestination(
  sql: Queryable,
  secrets: SecretBox,
  organizationId: string,
  id: string,
): Promise<StoredDestination | null> {
  const [row] = await sql<Row[]>`
    select id, name, kind, sealed, nonce, key_id from channels
    where org_id = ${organizationId} and id = ${id} and deleted_at is null`;
  return row === undefined
    ? null
    : { ...openConfig(secrets, organizationId, row), id: row.id, name: row.name };
}

/** How many living channels need another key than this one; all organizations together. */
export async function countUnreadable(sql: Queryable, secrets: SecretBox): Promise<number> {
  const [row] = await sql<{ channels: number }[]>`
    select count_channels_sealed_otherwise(${secrets.keyId}) as channels`;
  return row?.channels ?? 0;
}
