import type { KindAndConfig } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Sql } from '@tidewatch/database/connection';
import { type SecretBox, SecretKeyError } from '../secrets/secret-box.ts';
import { openConfig, type SealedColumns, sealConfig } from './sealed-config.ts';

type Row = SealedColumns & { organization_id: string; id: string; kind: KindAndConfig['kind'] };

export interface RotatedKey {
  rotated: number;
  /** The number of channels that are already encrypted with the new key. */
  already: number;
}

/**
 * Encrypts the secrets of all channels again with the key `next`, in one transaction. Throws SecretKeyError and changes
 * nothing if a secret was encrypted with neither key. Can be repeated.
 */
export async function rotateSecretKey(sql: Sql, old: SecretBox, next: SecretBox): Promise<RotatedKey> {
  const done = await sql.begin(async (tx) => {
    // Blocks creations and changes of channels until the keys are rotated; processes with the old key refuse them
    // afterwards.
    await tx`lock table channels in share row exclusive mode`;
    const rows = await tx<Row[]>`
      select organization_id, id, kind, sealed, nonce, key_id from channels where sealed is not null order by organization_id, id`;
    const waiting = rows.filter(({ key_id }) => key_id !== next.keyId);
    for (const row of waiting) {
      const { sealed, nonce, key_id } = sealConfig(next, row.organization_id, row.id, openRow(old, row));
      await tx`update channels set sealed = ${sealed}, nonce = ${nonce}, key_id = ${key_id}
        where organization_id = ${row.organization_id} and id = ${row.id}`;
    }
    return { rotated: waiting.length, already: rows.length - waiting.length };
  });
  return done as RotatedKey;
}

function openRow(old: SecretBox, row: Row): KindAndConfig {
  try {
    return openConfig(old, row.organization_id, row);
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error;
    const message = `The channel ${row.id} cannot be read with the old key, which is the key ${old.keyId}; it needs the key ${row.key_id}.`;
    throw new SecretKeyError(message, { cause: error });
  }
}
