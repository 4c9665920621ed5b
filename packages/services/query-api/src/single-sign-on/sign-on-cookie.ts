import { SIGN_ON_CALLBACK_PATH } from '@tidewatch/contracts/sessions/single-sign-on';
import type { CookieOptions, Request } from 'express';
import type { QueryApiOptions } from '../query-api-options.ts';

/**
 * The name of the cookie of a sign-in that is under way, and how it is set. It is Lax: a Strict one is not sent when the
 * identity provider sends the browser back.
 */
export async function signOnCookie(
  access: QueryApiOptions['access'],
  request: Request,
): Promise<{ name: string; options: CookieOptions }> {
  const { name, options } = await access.cookieOf(request);
  return {
    name: name.replace('tidewatch-', 'tidewatch-sign-on-'),
    options: { ...options, sameSite: 'lax' },
  };
}

/** Where the identity provider sends browsers back to, as it is registered there. */
export function callbackUrl(
  { config, access }: Pick<QueryApiOptions, 'config' | 'access'>,
  request: Request,
): string {
  return `${config.publicUrl ?? access.originOf(request)}${SIGN_ON_CALLBACK_PATH}`;
}
