import type { KindAndConfig } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Queryable } from '@tidewatch/database/connection';
import type { SecretBox } from '../secrets/secret-box.ts';
import { openConfig, type SealedColumns } from './sealed-config.ts';

/** A channel with its decrypted configuration, for senders. */
export type StoredDestination = KindAndConfig & { id: string; name: string };

type Row = SealedColumns & { id: string; name: string; kind: KindAndConfig['kind'] };

/**
 * A channel that is not deleted, enabled or not, or null. Throws SecretKeyError if it was encrypted with another key: retry
 * with the right key.
 */
export async function readDestination(
  sql: Queryable,
  secrets: SecretBox,
  organizationId: string,
  id: string,
): Promise<StoredDestination | null> {
  const [row] = await sql<Row[]>`
    select id, name, kind, sealed, nonce, key_id from channels
    where organization_id = ${organizationId} and id = ${id} and deleted_at is null`;
  return row === undefined
    ? null
    : { ...openConfig(secrets, organizationId, row), id: row.id, name: row.name };
}

/** Counts the channels of all organizations that are encrypted with another key and not deleted. */
export async function countUnreadable(sql: Queryable, secrets: SecretBox): Promise<number> {
  const [row] = await sql<{ channels: number }[]>`
    select count_channels_sealed_otherwise(${secrets.keyId}) as channels`;
  return row?.channels ?? 0;
}
