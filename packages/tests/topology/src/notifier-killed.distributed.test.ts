import { type Answer, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openInstallation, type ServiceProcess } from '@tidewatch/harness/installation';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, expect, test } from 'vitest';

const SEEN = { interval: 100 };
/** Timeout for the takeover of a killed notifier's work, ms: longer than its lease. */
const TAKEN_OVER = { timeout: 60_000, interval: 200 };

let gateway: ServiceProcess;
let api: ServiceProcess;
let answer: Answer = status(204);

const installation = await openForFile(
  openInstallation({
    settings: {
      TIDEWATCH_REDIS_URL: 'redis://127.0.0.1:1',
      TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.0/8',
    },
  }),
);
const receiver = await openForFile(startHttpReceiver((response, received) => answer(response, received)));
beforeAll(async () => {
  [gateway, api] = await Promise.all([
    installation.start('gateway'),
    installation.start('query-api'),
    installation.start('writer'),
    installation.start('evaluator'),
  ]);
});

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is what is tested
async function ask(url: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': installation.key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text);
}

test('a notification that a killed notifier had sent and not recorded is sent again with the same id, and counted', async () => {
  const killed = await installation.start('notifier');
  const channel = await ask(api.url, 'POST', '/channels', {
    kind: 'webhook',
    name: 'hook',
    config: { url: receiver.url('/hook') },
  });
  const rule = await ask(api.url, 'POST', '/alerts/rules', {
    name: 'busy',
    metric: 'load',
    condition: 'greater_than',
    threshold: 1,
    duration_minutes: 0,
    channels: [channel.id],
  });
  // The receiver accepts the request and never answers.
  answer = () => undefined;
  await expect
    .poll(async () => {
      await ask(gateway.url, 'POST', '/ingest', { host: 'web-01', metrics: { load: 2 } });
      return receiver.got.length;
    }, SEEN)
    .toBeGreaterThan(0);
  killed.signal('SIGKILL');
  await killed.ended;
  answer = status(204);
  const next = await installation.start('notifier');
  const notifications = async () =>
    (await ask(api.url, 'GET', '/notifications?status=delivered')).notifications;
  await expect.poll(notifications, TAKEN_OVER).toHaveLength(1);
  expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toEqual([
    receiver.got[0]?.headers['webhook-id'],
    receiver.got[0]?.headers['webhook-id'],
  ]);
  const [notification] = await notifications();
  expect(notification).toMatchObject({ transition: 'fired', attempts: 2, last_error: null });
  const metrics = await (await fetch(`${next.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^tidewatch_notifications_repeated_total 1$/m);
  const [alert] = (await ask(api.url, 'GET', `/alerts?rule_id=${rule.id}`)).alerts;
  expect(alert.notifications).toMatchObject([{ id: notification.id, status: 'delivered' }]);
}, 150_000);
