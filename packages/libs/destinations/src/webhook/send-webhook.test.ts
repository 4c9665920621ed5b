import { createHmac } from 'node:crypto';
import { anAlert, NOW } from '@tidewatch/domain/notification/notice.fixture';
import { afterEach, expect, it } from 'vitest';
import { type Answer, type HttpReceiver, startHttpReceiver, status } from '../testing/http-receiver.ts';
import { destination, noticeOf, openSender } from '../testing/sender.harness.ts';

const KEY = Buffer.from('a key of the receiver alone, 32 b');
const SECRET = `whsec_${KEY.toString('base64')}`;
const notice = noticeOf(anAlert());
let receiver: HttpReceiver;

afterEach(() => receiver.close());

async function sent(answer: Answer, headers: Record<string, string> = {}) {
  receiver = await startHttpReceiver(answer);
  const hook = destination('webhook', {
    url: receiver.url('/hook'),
    secret: SECRET,
    headers,
    events: ['alert.fired'],
  });
  return openSender().send(hook, notice, null);
}

it('a webhook carries the unchanged event, signed over id, time and body', async () => {
  expect(await sent(status(204))).toEqual({ status: 'delivered', reference: null });
  const { body, headers } = receiver.got[0]!;
  expect(JSON.parse(body)).toEqual(notice.event);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Tidewatch',
    'webhook-id': notice.event.id,
    'webhook-timestamp': String(NOW / 1_000),
  });
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const mac = createHmac('sha256', KEY).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${mac}`);
});

it('a webhook sends the headers of its channel, which override the content type but not the signature', async () => {
  await sent(status(200), {
    Authorization: 'Bearer x',
    'Content-Type': 'application/cloudevents+json',
    'Webhook-Signature': 'v1,forged',
  });
  const { headers } = receiver.got[0]!;
  expect(headers).toMatchObject({
    authorization: 'Bearer x',
    'content-type': 'application/cloudevents+json',
  });
  expect(headers['webhook-signature']).not.toContain('forged');
});

it.each([
  ...[400, 401, 404, 410, 307].map((code) => [code, {}, false, null] as const),
  [429, { 'retry-after': '30' }, true, 30_000] as const,
  [503, { 'retry-after': new Date(NOW + 60_000).toUTCString() }, true, 60_000] as const,
  [500, {}, true, null] as const,
])(
  'a webhook that answers %d with %j counts as failed, retryable: %s',
  async (code, headers, retryable, retryAfterMs) => {
    expect(await sent(status(code, headers))).toMatchObject({ status: 'failed', retryable, retryAfterMs });
  },
);
