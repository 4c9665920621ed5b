import { anAlert, aResolvedAlert } from '@tidewatch/domain/notification/notice.fixture';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Destination } from '../notice.ts';
import { startHttpReceiver, status } from '../testing/http-receiver.ts';
import { destination, digestOf, noticeOf, openSender } from '../testing/sender.harness.ts';
import { BOT_TOKEN, type SlackStandIn, startSlack } from '../testing/slack-stand-in.ts';

let slack: SlackStandIn;
let hook: Destination;
let bot: Destination;
const sender = openSender({ publicUrl: 'https://tw.example' });

beforeEach(async () => {
  slack = await startSlack();
  hook = destination('slack', { webhook_url: slack.url('/services/T1/B1/secret') });
  bot = destination('slack', { bot_token: BOT_TOKEN, channel: '#alerts', api_url: slack.url('/api') });
});
afterEach(() => slack.close());

describe('Slack by incoming webhook', () => {
  it('a Slack webhook gets one message for each notice', async () => {
    expect(await sender.send(hook, noticeOf(anAlert()), null)).toEqual({
      status: 'delivered',
      reference: null,
    });
    expect(await sender.send(hook, noticeOf(aResolvedAlert()), null)).toMatchObject({ status: 'delivered' });
    expect(slack.messages.map(({ body }) => String(body['text']).split('\n')[0])).toEqual([
      '🔴 Firing: web-01: CPU is busy',
      '✅ Resolved: web-01: CPU is busy',
    ]);
  });

  it('a Slack message mentions nobody and has no link because of the name of a host', async () => {
    const host = '<!channel> & <https://evil.example|click>';
    const alert = anAlert({
      host,
      subject: { kind: 'host', name: host },
      summary: `${host}: x`,
      rule_name: host,
    });
    expect(await sender.send(hook, noticeOf(alert), null)).toMatchObject({ status: 'delivered' });
    const said = JSON.stringify(slack.messages[0]?.body);
    expect(said).not.toMatch(/<!|<http/);
    expect(said).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;');
  });

  it('a digest of 2,001 alerts is one Slack message within the limits of Block Kit', async () => {
    const storm = Array.from({ length: 2_000 }, (_, i) => anAlert({ host: `<&>-${i}-${'x'.repeat(200)}` }));
    expect(await sender.send(hook, digestOf([anAlert(), ...storm]), null)).toMatchObject({
      status: 'delivered',
    });
    expect(slack.messages).toHaveLength(1);
  });

  it.each([
    [404, 'no_service', false],
    [403, 'action_prohibited', false],
    [410, 'channel_is_archived', false],
    [500, 'rollup_error', true],
    [429, '', true],
  ])(
    'a Slack webhook that answers %d (%s) counts as failed, retryable: %s',
    async (code, word, retryable) => {
      const refusing = await startHttpReceiver(status(code, { 'retry-after': '7' }, word));
      const outcome = await sender.send(
        destination('slack', { webhook_url: refusing.url() }),
        noticeOf(anAlert()),
        null,
      );
      expect(outcome).toMatchObject({ status: 'failed', retryable, retryAfterMs: 7_000 });
      expect(outcome.status === 'failed' && outcome.error).toContain(word);
      await refusing.close();
    },
  );

  it('the error of a failed Slack message contains only an error code of Slack’s answer, and no other text of it', async () => {
    const echo = await startHttpReceiver(status(400, {}, 'token xoxb-1 is wrong'));
    const outcome = await sender.send(
      destination('slack', { webhook_url: echo.url() }),
      noticeOf(anAlert()),
      null,
    );
    expect(outcome).toMatchObject({ error: 'answered 400' });
    await echo.close();
  });
});

describe('Slack by bot', () => {
  it('a Slack bot updates its message when the alert resolves and replies in the thread', async () => {
    const first = await sender.send(bot, noticeOf(anAlert()), null);
    const reference = first.status === 'delivered' ? first.reference : null;
    expect(reference).toMatch(/^C0123456789:\d+\.\d+$/);
    expect(await sender.send(bot, noticeOf(aResolvedAlert()), reference)).toEqual({
      status: 'delivered',
      reference,
    });
    const [message, reply] = slack.messages;
    expect(slack.messages).toHaveLength(2);
    expect(message).toMatchObject({ updates: 1 });
    expect(String(message?.body['text'])).toContain('Resolved');
    expect(reply).toMatchObject({ thread_ts: message?.ts });
    expect(reply?.body['text']).toContain('web-01: cpu_percent is 12.5 %; resolved after 12 minutes.');
    expect(reply?.body['text']).toContain(aResolvedAlert().id);
    expect(JSON.stringify(reply?.body['blocks'])).toContain(aResolvedAlert().id);
  });

  it('a Slack bot posts a new message if its earlier one was deleted', async () => {
    const outcome = await sender.send(bot, noticeOf(aResolvedAlert()), 'C0123456789:1.000100');
    expect(outcome).toEqual({ status: 'delivered', reference: `C0123456789:${slack.messages[0]?.ts}` });
    expect(slack.messages).toHaveLength(1);
  });

  it.each([
    ['ratelimited', true],
    ['internal_error', true],
    ['invalid_auth', false],
    ['not_in_channel', false],
    ['is_archived', false],
  ])('the Slack error %s counts as failed, retryable: %s', async (error, retryable) => {
    slack.failNext(error, { 'retry-after': '3' });
    const outcome = await sender.send(bot, noticeOf(anAlert()), null);
    expect(outcome).toEqual({
      status: 'failed',
      retryable,
      retryAfterMs: 3_000,
      error: `Slack refused it (${error})`,
    });
  });

  it('a Slack notice is retried if the reply in the thread failed', async () => {
    const first = await sender.send(bot, noticeOf(anAlert()), null);
    const reference = first.status === 'delivered' ? first.reference : null;
    slack.failNext('internal_error');
    expect(await sender.send(bot, noticeOf(aResolvedAlert()), reference)).toMatchObject({ retryable: true });
    expect(await sender.send(bot, noticeOf(aResolvedAlert()), reference)).toMatchObject({
      status: 'delivered',
    });
  });

  it('an answer that is not one of the Slack API is a retryable failure', async () => {
    const other = await startHttpReceiver(status(200, {}, '<html>maintenance</html>'));
    const lost = destination('slack', { bot_token: BOT_TOKEN, channel: '#a', api_url: other.url('/api') });
    expect(await sender.send(lost, noticeOf(anAlert()), null)).toMatchObject({
      status: 'failed',
      retryable: true,
    });
    await other.close();
  });
});
