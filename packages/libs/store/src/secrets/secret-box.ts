import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** An encrypted text that can only be decrypted for the place for which it was sealed. */
export interface Sealed {
  /** The ciphertext, followed by the authentication tag of 16 bytes. */
  sealed: Uint8Array;
  nonce: Uint8Array;
  /** Identifies the key; reveals nothing about it. */
  keyId: string;
}

/** Encrypts secrets for storage. */
export interface SecretBox {
  keyId: string;
  /** Binds the text to `place`: it can only be decrypted with the same place. */
  seal(text: string, place: string): Sealed;
  /** Throws SecretKeyError if another key is needed, or the ciphertext or place differ. */
  open(sealed: Sealed, place: string): string;
}

/** A secret cannot be decrypted with the key of this process. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError';
}

export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/**
 * Creates an encryption with AES-256-GCM and a random nonce for each text. Throws RangeError unless the key has 32 bytes.
 */
export function createSecretBox(key: Uint8Array): SecretBox {
  if (key.length !== SECRET_KEY_BYTES) throw new RangeError('The key must have 32 bytes.');
  const keyId = hash('sha256', Buffer.concat([Buffer.from('tidewatch secret key id\n'), key]), 'hex').slice(
    0,
    16,
  );
  return {
    keyId,
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { sealed, nonce, keyId };
    },
    open({ sealed, nonce, keyId: needed }, place) {
      if (needed !== keyId)
        throw new SecretKeyError(
          `The secret was encrypted with the key ${needed}, and TIDEWATCH_SECRET_KEY is the key ${keyId}.`,
        );
      const end = sealed.length - TAG_BYTES;
      try {
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(end));
        return decipher.update(sealed.subarray(0, end), undefined, 'utf8') + decipher.final('utf8');
      } catch (error) {
        throw new SecretKeyError('The stored secret was changed after it was encrypted.', { cause: error });
      }
    },
  };
}
