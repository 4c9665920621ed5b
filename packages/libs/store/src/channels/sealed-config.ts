import type { KindAndConfig } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { SecretBox } from '../secrets/secret-box.ts';

export interface SealedColumns {
  sealed: Uint8Array;
  nonce: Uint8Array;
  key_id: string;
}

// Binds a ciphertext to its channel, so that it cannot be decrypted after it was copied into another channel or
// organization.
const placeOf = (organizationId: string, id: string) => `channel ${organizationId}/${id}`;

export function sealConfig(
  secrets: SecretBox,
  organizationId: string,
  id: string,
  { config }: KindAndConfig,
): SealedColumns {
  const { sealed, nonce, keyId } = secrets.seal(JSON.stringify(config), placeOf(organizationId, id));
  return { sealed, nonce, key_id: keyId };
}

/** Decrypts the configuration of a channel. Throws SecretKeyError. */
export function openConfig(
  secrets: SecretBox,
  organizationId: string,
  row: SealedColumns & { id: string; kind: KindAndConfig['kind'] },
): KindAndConfig {
  const { kind, sealed, nonce, key_id: keyId } = row;
  const config = JSON.parse(secrets.open({ sealed, nonce, keyId }, placeOf(organizationId, row.id)));
  return { kind, config } as KindAndConfig;
}
