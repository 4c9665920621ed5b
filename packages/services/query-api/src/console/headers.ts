/** Scripts and styles of this origin alone, no inline ones; the console makes URLs of workers by a policy of that name. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types tidewatch-worker',
].join('; ');

/** The headers of the console's HTML. Browsers heed the opener policy over HTTPS alone, and warn about it elsewhere. */
export function pageHeaders(isSecure: boolean, policy = CONSOLE_POLICY): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    ...ASSET_HEADERS,
    ...(isSecure && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
  };
}

/** The headers of everything that is served for the console. */
export const ASSET_HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
