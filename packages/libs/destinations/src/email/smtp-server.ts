/** Where email is handed over, and how. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte on, instead of by STARTTLS. */
  tlsFirst: boolean;
  /** Whether to go on without TLS where the server offers none. A password is never sent in clear. */
  tlsRequired: boolean;
  login: { user: string; pass: string } | null;
}

const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/** Reads `smtp://user:password@host:587` or `smtps://…`. Throws RangeError, without the text, where it is neither. */
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
