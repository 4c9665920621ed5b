import { connect, type Socket } from 'node:net';
import type { EmailConfig } from '@tidewatch/contracts/channels/channel-config';
import type { NoticeContent } from '@tidewatch/domain/notification/content';
import { emailMessage } from '@tidewatch/domain/notification/email-message';
import { createTransport } from 'nodemailer';
import type { AddressGuard } from '../guard/address-guard.ts';
import {
  checkLiteral,
  guardedLookup,
  RefusedAddressError,
  type Resolve,
  UnusableNameError,
} from '../guard/guarded-lookup.ts';
import { failed } from '../http/outcome.ts';
import type { Notice, Outcome } from '../sender.ts';
import type { SmtpServer } from './smtp-server.ts';

export interface EmailSenderOptions {
  server: SmtpServer;
  from: string;
  guard: AddressGuard;
  /** How names are resolved. Default: as the system does. */
  resolve?: Resolve;
  timeoutMs: number;
  /** Gets the name of the server where it leads nowhere. */
  onUnusableName?: (error: UnusableNameError) => void;
}

/** Hands one email over to the mail server, on a connection of its own; `reference` is the Message-ID to answer. */
export async function sendEmail(
  options: EmailSenderOptions,
  config: EmailConfig,
  notice: Notice,
  content: NoticeContent,
  reference: string | null,
): Promise<Outcome> {
  const { server, timeoutMs } = options;
  let socket: Socket | undefined;
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    socket?.destroy();
  }, timeoutMs);
  try {
    checkLiteral(options.guard, server.host);
    socket = connect({
      host: server.host,
      port: server.port,
      lookup: guardedLookup(options.guard, options.resolve),
    });
    await connected(socket);
    const messageId = `<${notice.event.id}@${domainOf(options.from)}>`;
    const sent = await transportOver(socket, options).sendMail({
      from: options.from,
      to: config.to.map((address) => ({ name: '', address })),
      ...emailMessage(content),
      messageId,
      ...(reference === null ? {} : { inReplyTo: reference, references: [reference] }),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const refusals = sent.rejectedErrors ?? [];
    if (refusals.length > 0) return partly(sent.rejected.length, config.to.length, refusals);
    return { status: 'delivered', reference: reference ?? messageId };
  } catch (error) {
    if (error instanceof UnusableNameError) options.onUnusableName?.(error);
    return late
      ? failed(`no answer of the mail server within ${timeoutMs / 1_000} seconds`, { retryable: true })
      : failure(error);
  } finally {
    clearTimeout(deadline);
    socket?.destroy();
  }
}

function transportOver(socket: Socket, { server, timeoutMs }: EmailSenderOptions) {
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.tlsFirst,
    requireTLS: server.tlsRequired,
    connection: socket,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...(server.login === null ? {} : { auth: server.login }),
  });
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays for the socket's life: an error after the message was handed over must not end the process.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once('connect', () => resolve());
  });
}

function domainOf(from: string): string {
  return /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'tidewatch.invalid';
}

interface SmtpError {
  message?: unknown;
  code?: unknown;
  responseCode?: unknown;
}

/** Codes of nodemailer after which nothing but another configuration helps. */
const FINAL = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE', 'ECONFIG', 'EOAUTH2', 'ENOAUTH']);

function failure(error: unknown): Outcome {
  // The mail server is the operator's, whose log has its name: tenants learn no name or address of it.
  if (error instanceof RefusedAddressError)
    return failed('the mail server has an address that may not be called', { retryable: false });
  if (error instanceof UnusableNameError)
    return failed('the mail server was not reached (its name leads nowhere)', { retryable: true });
  const { message, code, responseCode } = error as SmtpError;
  const known = typeof code === 'string' ? code : 'unknown';
  if (typeof responseCode === 'number')
    return failed(`the mail server answered ${responseCode} (${known})`, {
      retryable: isPassing(responseCode),
    });
  // Nodemailer gives it no code of its own, and it is what most often is wrong.
  if (/certificate|altnames/i.test(String(message)))
    return failed('the certificate of the mail server is not trusted', { retryable: true });
  return failed(`the mail server was not reached (${known})`, { retryable: !FINAL.has(known) });
}

/** Some addresses have it. Where the others were refused for the moment, all get it again, under the same Message-ID. */
function partly(refused: number, all: number, refusals: readonly SmtpError[]): Outcome {
  const codes = refusals.map(({ responseCode }) => (typeof responseCode === 'number' ? responseCode : 0));
  return failed(`${refused} of ${all} addresses were refused (${[...new Set(codes)].join(', ')})`, {
    retryable: codes.some(isPassing),
  });
}

/** 4xx of SMTP asks to come back later (RFC 5321, 4.2.1). */
function isPassing(code: number): boolean {
  return code >= 400 && code < 500;
}
