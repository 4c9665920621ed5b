import { connect, type Socket } from 'node:net';
import type { EmailConfig } from '@tidewatch/contracts/channels/kinds/email';
import type { NoticeContent } from '@tidewatch/domain/notification/content';
import { createTransport } from 'nodemailer';
import type { ChannelSender } from '../channel-sender.ts';
import {
  checkLiteral,
  guardedLookup,
  RefusedAddressError,
  UnusableNameError,
} from '../guard/guarded-lookup.ts';
import { failed } from '../http/outcome.ts';
import type { Notice, Outcome } from '../notice.ts';
import { emailMessage } from './email-message.ts';
import type { EmailSenderOptions } from './smtp-server.ts';

/** Sends one email over a new connection to the mail server. `reference` is the Message-ID that the email replies to. */
async function sendEmail(
  options: EmailSenderOptions,
  config: EmailConfig,
  notice: Notice,
  content: NoticeContent,
  reference: string | null,
): Promise<Outcome> {
  const { server, timeoutMs } = options;
  let socket: Socket | undefined;
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
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
    if (refusals.length > 0) return partialFailure(sent.rejected.length, config.to.length, refusals);
    return { status: 'delivered', reference: reference ?? messageId };
  } catch (error) {
    if (error instanceof UnusableNameError) options.onUnusableName?.(error);
    return timedOut
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
    // Never removed, because an error after the message was sent must not end the process.
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

/** Error codes of nodemailer that only a change of configuration resolves: these attempts are not retried. */
const PERMANENT_CODES = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE', 'ECONFIG', 'EOAUTH2', 'ENOAUTH']);

function failure(error: unknown): Outcome {
  // Tenants can read this error, so it omits the name and address of the mail server, which belongs to the operator.
  if (error instanceof RefusedAddressError)
    return failed(
      'the address of the mail server is private, and TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS does not allow it',
      { retryable: false },
    );
  if (error instanceof UnusableNameError)
    return failed(
      'the mail server was not reached (its name does not resolve to an address that may be called)',
      { retryable: true },
    );
  const { message, code, responseCode } = error as SmtpError;
  const known = typeof code === 'string' ? code : 'unknown';
  if (typeof responseCode === 'number')
    return failed(`the mail server answered ${responseCode} (${known})`, {
      retryable: isTemporary(responseCode),
    });
  // Checked by text, because nodemailer has no code for an untrusted certificate, the most frequent error.
  if (/certificate|altnames/i.test(String(message)))
    return failed('the certificate of the mail server is not trusted', { retryable: true });
  return failed(`the mail server was not reached (${known})`, { retryable: !PERMANENT_CODES.has(known) });
}

/**
 * The failure of an email that some recipients refused. If one refusal was temporary, the email is sent to all again under
 * the same Message-ID.
 */
function partialFailure(refused: number, all: number, refusals: readonly SmtpError[]): Outcome {
  const codes = refusals.map(({ responseCode }) => (typeof responseCode === 'number' ? responseCode : 0));
  return failed(`${refused} of ${all} addresses were refused (${[...new Set(codes)].join(', ')})`, {
    retryable: codes.some(isTemporary),
  });
}

/** SMTP replies 4xx are temporary failures (RFC 5321, 4.2.1). */
function isTemporary(code: number): boolean {
  return code >= 400 && code < 500;
}

export const emailSender: ChannelSender<EmailConfig> = {
  async sendAlert({ email, config, notice, content, reference }) {
    if (email === null) return failed('TIDEWATCH_EMAIL_SMTP_URL is not set', { retryable: false });
    return sendEmail(email, config, notice, content(), reference);
  },
};
