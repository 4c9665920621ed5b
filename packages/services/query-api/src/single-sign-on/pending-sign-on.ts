import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type SecretBox, SecretKeyError } from '@tidewatch/store/secrets/secret-box';
import { z } from 'zod';

/** How long a sign-in may take at the identity provider, ms. */
export const SIGN_ON_MS = 10 * MINUTE_MS;

/** What the texts in the cookie are encrypted for, so that no other secret of the installation can be put in their place. */
const PLACE = 'a sign-in with the identity provider';
const NONCE_BYTES = 12;

const pendingSchema = z.strictObject({
  purpose: z.enum(['sign_in', 'confirm']),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  startedAt: z.number(),
  to: z.string(),
  readOnly: z.boolean(),
  session: z
    .strictObject({
      id: z.string(),
      organizationId: z.string(),
      key: z.strictObject({ id: z.string(), name: z.string() }),
    })
    .nullable(),
});

/**
 * A sign-in that goes on at the identity provider, which the browser keeps in a cookie: what the provider's response is compared with,
 * the page that opens afterwards, and the session that the browser has, to be confirmed or replaced. Times are ms.
 */
export type PendingSignOn = z.infer<typeof pendingSchema>;

/** Encrypts a sign-in for the cookie, so that nobody who has the browser changes when it began or what it confirms. */
export function sealPending(secrets: SecretBox, pending: PendingSignOn): string {
  const { nonce, sealed } = secrets.seal(JSON.stringify(pending), PLACE);
  return Buffer.concat([nonce, sealed]).toString('base64url');
}

/** The sign-in of a cookie; null where another installation made it, or it has taken too long at `now` (ms). */
export function openPending(secrets: SecretBox, cookie: string, now: number): PendingSignOn | null {
  const bytes = Buffer.from(cookie, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const sealed = bytes.subarray(NONCE_BYTES);
  try {
    const text = secrets.open({ nonce, sealed, keyId: secrets.keyId }, PLACE);
    const pending = pendingSchema.parse(JSON.parse(text));
    return pending.startedAt <= now && now < pending.startedAt + SIGN_ON_MS ? pending : null;
  } catch (error) {
    if (error instanceof SecretKeyError) return null;
    throw error;
  }
}
