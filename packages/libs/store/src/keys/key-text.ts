import { hash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A key that nobody can guess: what it begins with, its whole text, and the digest that is all that is stored of it. */
export interface KeyText {
  prefix: string;
  text: string;
  /** SHA-256, 64 hex digits. */
  sha256: string;
}

/** The text `tw_<id>_<secret>` of the key `id`. `randomSecret` gives 64 hex digits, from the system's randomness by default. */
export function makeKeyText(
  id: string,
  randomSecret = () => randomBytes(SECRET_BYTES).toString('hex'),
): KeyText {
  const prefix = `tw_${id.slice(id.indexOf('_') + 1)}`;
  const text = `${prefix}_${randomSecret()}`;
  return { prefix, text, sha256: hash('sha256', text, 'hex') };
}
