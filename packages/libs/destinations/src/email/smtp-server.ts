import type { AddressGuard } from '../guard/address-guard.ts';
import type { Resolve, UnusableNameError } from '../guard/guarded-lookup.ts';

/** The mail server that Tidewatch sends emails by. */
export interface SmtpServer {
  host: string;
  port: number;
  /** True if the connection begins with TLS, false if it changes to TLS by STARTTLS. */
  tlsFirst: boolean;
  /** True if sending fails when the server offers no TLS. A password is never sent unencrypted. */
  tlsRequired: boolean;
  login: { user: string; pass: string } | null;
}

/** The mail server and sender address for emails. */
export interface EmailSenderOptions {
  server: SmtpServer;
  from: string;
  guard: AddressGuard;
  /** Resolves host names. Default: the system's resolver. */
  resolve?: Resolve;
  timeoutMs: number;
  /** Receives the error when the server's name resolves to no address that may be called. */
  onUnusableName?: (error: UnusableNameError) => void;
}

const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Parses `smtp://user:password@host:587` or `smtps://…`. Throws RangeError for other texts, without repeating them, since
 * they may contain a password.
 */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const port = url === null ? undefined : PORTS[url.protocol];
  if (url === null || port === undefined || url.hostname === '')
    throw new RangeError('must be smtp://user:password@host:port or smtps://…');
  const user = decodeURIComponent(url.username);
  const login = user === '' ? null : { user, pass: decodeURIComponent(url.password) };
  const tlsFirst = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    tlsFirst,
    tlsRequired: tlsFirst || login !== null,
    login,
  };
}
