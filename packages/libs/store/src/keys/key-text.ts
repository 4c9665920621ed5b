import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new key: its prefix, its text, and the digest that is stored. */
export interface KeyText {
  prefix: string;
  text: string;
  /** SHA-256, 64 hex digits. */
  sha256: string;
}

/** Creates the text `tw_<id>_<secret>` of the key `id`. `randomSecret` returns 64 random hexadecimal digits. */
export function makeKeyText(
  id: string,
  randomSecret = () => randomBytes(SECRET_BYTES).toString('hex'),
): KeyText {
  const prefix = `tw_${id.slice(id.indexOf('_') + 1)}`;
  const text = `${prefix}_${randomSecret()}`;
  return { prefix, text, sha256: hash('sha256', text, 'hex') };
}
