import { anAlert, aResolvedAlert } from '@tidewatch/domain/notification/notice.fixture';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { destination, noticeOf, openSender } from '../testing/sender.harness.ts';
import { headerOf, type SmtpReceiver, startSmtpReceiver } from '../testing/smtp-receiver.ts';
import { LOCALHOST, trustLocalhost } from '../testing/tls.ts';

const FROM = 'Tidewatch <tidewatch@example.com>';
const inbox = destination('email', { to: ['oncall@example.com', 'second@example.com'] });
let receiver: SmtpReceiver;
afterEach(() => receiver.close());

const senderTo = (smtpUrl: string, more = {}) => openSender({ email: { smtpUrl, from: FROM }, ...more });
const plain = () => senderTo(`smtp://127.0.0.1:${receiver.port}`);
/** The outcome of sending an alert; over plain SMTP unless a sender is given. */
const sent = (sender = plain(), alert = anAlert()) => sender.send(inbox, noticeOf(alert), null);

describe('email', () => {
  it('an email has a text and an HTML part and goes to every recipient', async () => {
    receiver = await startSmtpReceiver();
    const outcome = await sent();
    const [mail] = receiver.got;
    expect(outcome).toEqual({ status: 'delivered', reference: headerOf(mail!, 'Message-ID') });
    expect(mail?.to).toEqual(['oncall@example.com', 'second@example.com']);
    expect(headerOf(mail!, 'Subject')).toBe('web-01: CPU is busy (firing, critical)');
    expect(headerOf(mail!, 'From')).toBe(FROM);
    expect(headerOf(mail!, 'Auto-Submitted')).toBe('auto-generated');
    expect(mail?.raw).toMatch(/Content-Type: text\/plain/);
    expect(mail?.raw).toMatch(/Content-Type: text\/html/);
  });

  it('an email has the same Message-ID in every attempt, and later emails about the alert reply to it', async () => {
    receiver = await startSmtpReceiver();
    const sender = plain();
    const first = await sent(sender);
    await sent(sender);
    const reference = first.status === 'delivered' ? first.reference : null;
    expect(await sender.send(inbox, noticeOf(aResolvedAlert()), reference)).toEqual(first);
    const [one, again, later] = receiver.got;
    expect(headerOf(one!, 'Message-ID')).toBe(headerOf(again!, 'Message-ID'));
    expect(headerOf(later!, 'In-Reply-To')).toBe(reference);
    expect(headerOf(later!, 'References')).toBe(reference);
    expect(headerOf(one!, 'In-Reply-To')).toBeUndefined();
  });

  it('an email takes neither headers nor markup from the names in an alert', async () => {
    receiver = await startSmtpReceiver();
    const host = 'web\r\nBcc: victim@example.com\r\n\r\n<b>x</b>';
    const alert = anAlert({
      host,
      subject: { kind: 'host', name: host },
      rule_name: 'a\nX-Evil: 1',
      summary: host,
    });
    expect(await sent(plain(), alert)).toMatchObject({ status: 'delivered' });
    const [mail] = receiver.got;
    expect(mail?.to).toHaveLength(2);
    for (const name of ['Bcc', 'X-Evil']) expect(headerOf(mail!, name)).toBeUndefined();
    expect(headerOf(mail!, 'Subject')).toContain('web Bcc: victim@example.com <b>x</b>: a X-Evil: 1');
    expect(mail?.raw).toContain('&lt;b&gt;x&lt;/b&gt;');
  });

  it('an email keeps host names of any script', async () => {
    receiver = await startSmtpReceiver();
    const host = 'sérveur-日本-🔥';
    const alert = anAlert({ host, subject: { kind: 'host', name: host } });
    expect(await sent(plain(), alert)).toMatchObject({ status: 'delivered' });
    expect(headerOf(receiver.got[0]!, 'Subject')).toMatch(/^=\?UTF-8\?/);
  });
});

describe('email over TLS', () => {
  it('email is sent over STARTTLS, login included, if the mail server offers it', async () => {
    const logins: string[] = [];
    receiver = await startSmtpReceiver({
      ...LOCALHOST,
      onAuth({ username, password }, _session, callback) {
        logins.push(`${username}:${password}`);
        callback(null, { user: username });
      },
    });
    onTestFinished(trustLocalhost());
    expect(await sent(senderTo(`smtp://us%40er:p%3Aass@localhost:${receiver.port}`))).toMatchObject({
      status: 'delivered',
    });
    expect(receiver.got).toMatchObject([{ encrypted: true }]);
    expect(logins).toEqual(['us@er:p:ass']);
  });

  it('email is sent over TLS from the first byte on if the URL says smtps', async () => {
    receiver = await startSmtpReceiver({ ...LOCALHOST, secure: true });
    onTestFinished(trustLocalhost());
    expect(await sent(senderTo(`smtps://localhost:${receiver.port}`))).toMatchObject({ status: 'delivered' });
    expect(receiver.got).toMatchObject([{ encrypted: true }]);
  });

  it('email is not sent to a mail server whose certificate is not trusted', async () => {
    receiver = await startSmtpReceiver({ ...LOCALHOST, secure: true });
    expect(await sent(senderTo(`smtps://localhost:${receiver.port}`))).toMatchObject({
      status: 'failed',
      error: 'the certificate of the mail server is not trusted',
    });
    expect(receiver.got).toEqual([]);
  });

  it('email with a password is not sent to a mail server without TLS', async () => {
    const logins: string[] = [];
    receiver = await startSmtpReceiver({
      allowInsecureAuth: true,
      onAuth({ username }, _session, callback) {
        logins.push(String(username));
        callback(null, { user: username });
      },
    });
    expect(await sent(senderTo(`smtp://user:pass@127.0.0.1:${receiver.port}`))).toMatchObject({
      status: 'failed',
    });
    expect([logins, receiver.got]).toEqual([[], []]);
  });
});

const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

describe('email and mail servers that fail', () => {
  it.each([
    [421, true],
    [450, true],
    [550, false],
    [554, false],
  ])('an email whose recipients are all refused with %d fails, retryable: %s', async (code, retryable) => {
    receiver = await startSmtpReceiver({
      onRcptTo: (_address, _session, callback) => callback(refusal(code)),
    });
    expect(await sent()).toMatchObject({ status: 'failed', retryable });
  });

  it.each([
    [451, true],
    [550, false],
  ])(
    'an email of which one of two recipients is refused with %d fails and says so, retryable: %s',
    async (code, retryable) => {
      receiver = await startSmtpReceiver({
        onRcptTo: ({ address }, _session, callback) =>
          callback(address.startsWith('second') ? refusal(code) : null),
      });
      expect(await sent()).toEqual({
        status: 'failed',
        retryable,
        retryAfterMs: null,
        error: `1 of 2 addresses were refused (${code})`,
      });
      expect(receiver.got).toMatchObject([{ to: ['oncall@example.com'] }]);
    },
  );

  it('an email is not retried after the mail server refused the login', async () => {
    receiver = await startSmtpReceiver({
      ...LOCALHOST,
      onAuth: (_auth, _session, callback) => callback(refusal(535)),
    });
    onTestFinished(trustLocalhost());
    const sender = senderTo(`smtp://user:wrong@localhost:${receiver.port}`);
    const outcome = await sent(sender);
    expect(outcome).toMatchObject({ status: 'failed', retryable: false });
    expect(JSON.stringify(outcome)).not.toContain('wrong');
  });

  it('an email is retried after the mail server dropped the connection', async () => {
    receiver = await startSmtpReceiver({
      onData(_stream, session) {
        receiver.close();
        expect(session.envelope.rcptTo).toHaveLength(2);
      },
    });
    expect(await sent()).toMatchObject({ status: 'failed', retryable: true });
  });

  it('an email fails with a timeout if the mail server does not answer', async () => {
    receiver = await startSmtpReceiver({ onConnect: () => {} });
    expect(await sent(senderTo(`smtp://127.0.0.1:${receiver.port}`, { timeoutMs: 300 }))).toEqual({
      status: 'failed',
      retryable: true,
      retryAfterMs: null,
      error: 'no answer of the mail server within 0.3 seconds',
    });
  });

  it('an email is retried if nothing listens at the address of the mail server', async () => {
    receiver = await startSmtpReceiver();
    await receiver.close();
    expect(await sent()).toMatchObject({
      status: 'failed',
      retryable: true,
      error: expect.stringContaining('ECONNREFUSED'),
    });
    receiver = await startSmtpReceiver();
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]'])(
    'an email is not sent to a mail server at %s unless private addresses are allowed',
    async (host) => {
      receiver = await startSmtpReceiver();
      const sender = senderTo(`smtp://${host}:${receiver.port}`, { allowPrivate: false });
      const outcome = await sent(sender);
      expect(outcome).toMatchObject({ status: 'failed', retryable: host === 'localhost' });
      expect(JSON.stringify(outcome)).not.toContain(host);
      expect(receiver.got).toEqual([]);
    },
  );
});

it('an email fails with the name of the missing setting if no mail server is configured', async () => {
  receiver = await startSmtpReceiver();
  expect(await sent(openSender())).toMatchObject({
    status: 'failed',
    retryable: false,
    error: 'TIDEWATCH_EMAIL_SMTP_URL is not set',
  });
});

it.each(['http://mail.example', 'mail.example:25', 'smtp://', ''])(
  'createSender refuses %j as the URL of a mail server',
  async (url) => {
    receiver = await startSmtpReceiver();
    expect(() => senderTo(url)).toThrow(RangeError);
  },
);
