import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { z } from 'zod';

/** What the identity provider says about a user. */
export type Claims = Record<string, unknown> & { iss: string; sub: string };

/** A user of the identity provider. */
export interface Person {
  issuer: string;
  /** Identifies the user with the issuer, for good; email addresses change. */
  subject: string;
  email: string;
  groups: string[];
  /** When the user proved who it is, ms; null where the provider does not say. */
  authenticatedAt: number | null;
}

const emailSchema = z
  .string()
  .max(200)
  .regex(/^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u);
const subjectSchema = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}]+$/u);
const NOT_VERIFIED = [false, 'false'];

/** The user of these claims. Throws 403 `sign_on_not_permitted` where the email address is missing or not verified. */
export function personOf(claims: Claims, groupsClaim: string): Person {
  const subject = subjectSchema.safeParse(claims.sub);
  if (!subject.success) throw notPermitted('The identity provider sent no usable id of the user.');
  const email = emailSchema.safeParse(claims['email']);
  if (!email.success)
    throw notPermitted(
      'The identity provider sent no email address of the user. The scope email may be missing, or the user has none.',
    );
  // A user who could choose the address would appear as somebody else in the audit log.
  if (NOT_VERIFIED.includes(claims['email_verified'] as boolean | string))
    throw notPermitted(`The identity provider has not verified the address ${email.data}.`);
  const { auth_time: authTime } = claims;
  return {
    issuer: claims.iss,
    subject: subject.data,
    email: email.data,
    groups: [claims[groupsClaim]].flat().filter((group) => typeof group === 'string'),
    authenticatedAt: typeof authTime === 'number' && Number.isFinite(authTime) ? authTime * SECOND_MS : null,
  };
}

function notPermitted(detail: string): ProblemError {
  return new ProblemError('sign_on_not_permitted', { detail });
}

/** How far the provider's clock may be behind, ms. */
const CLOCK_TOLERANCE_MS = 30_000;

/** Throws unless the user proved who it is after `startedAt` (ms): the provider may have ignored that it was asked to see to it. */
export function requireNewLogin({ authenticatedAt }: Person, startedAt: number): void {
  if (authenticatedAt === null)
    throw notPermitted(
      'The identity provider does not say when you signed in (auth_time), so the session cannot be confirmed by it.',
    );
  if (authenticatedAt + CLOCK_TOLERANCE_MS < startedAt)
    throw new ProblemError('sign_on_refused', {
      detail: 'The identity provider did not ask you to sign in again, so the session is not confirmed.',
    });
}
