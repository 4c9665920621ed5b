import type { CookieOptions } from 'express';

/** 256 random bits, base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The name of the cookie of an installation; `cookieId` has eight digits, since cookies ignore ports. */
export function cookieName(cookieId: string, isSecure: boolean): string {
  return isSecure ? `__Host-tidewatch-${cookieId}` : `tidewatch-${cookieId}`;
}

/** How the cookie is set. The prefix `__Host-` of its name demands `Path=/`, `Secure` and no domain. */
export function cookieOptions(isSecure: boolean): CookieOptions {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: isSecure };
}

/**
 * The token in the first cookie of this name in the header `Cookie`; empty where that is no token, undefined where there
 * is no such cookie.
 */
export function readToken(header: string | undefined, name: string): string | undefined {
  const value = readCookie(header, name);
  return value === undefined || TOKEN.test(value) ? value : '';
}

/** The value of the first cookie of this name in the header `Cookie`; undefined where there is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const entry of header?.split(';') ?? []) {
    const equals = entry.indexOf('=');
    if (equals !== -1 && entry.slice(0, equals).trim() === name) return entry.slice(equals + 1).trim();
  }
  return undefined;
}
