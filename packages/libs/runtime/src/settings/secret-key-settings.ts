import { z } from 'zod';
import { setting } from './config.ts';

const KEY_BYTES = 32;

/** Schema of a key of 32 bytes, as 64 hexadecimal digits or in base64. */
const keySchema = z.string().transform((text, context): Uint8Array => {
  const key = Buffer.from(text, /^[\da-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (/^[\w+/=-]+$/.test(text) && key.length === KEY_BYTES) return key;
  context.addIssue({ code: 'custom', message: 'must be 32 bytes, as 64 hexadecimal digits or in base64' });
  return z.NEVER;
});

const described = {
  env: 'TIDEWATCH_SECRET_KEY',
  meaning:
    'Encrypts the secrets of channels: 32 bytes, as 64 hexadecimal digits or in base64. Every service has the same.',
  example: 'what openssl rand -hex 32 prints',
  secret: true,
};

/** The secret key setting of a process that must use the same key as others. */
export const secretKeySettings = { secretKey: setting({ ...described, schema: keySchema }) };

/** The secret key setting of a process that creates a key if none is set. */
export const ownSecretKeySettings = {
  secretKey: setting({
    ...described,
    schema: keySchema.optional(),
    default: 'made at the first start, in secret-key of the data directory',
  }),
};
