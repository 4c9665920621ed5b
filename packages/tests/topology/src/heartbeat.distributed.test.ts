import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { openStore } from '@tidewatch/store/connection';
import { type Installation, openInstallation, type ServiceProcess } from '@tidewatch/testkit/installation';
import { afterAll, beforeAll, expect, test } from 'vitest';

const WITHIN = { timeout: 60_000, interval: 200 };

let installation: Installation;
let receiver: HttpReceiver;
let notifier: ServiceProcess;
const parts = new Map<string, ServiceProcess>();

beforeAll(async () => {
  installation = await openInstallation({ settings: { TIDEWATCH_REDIS_URL: 'redis://127.0.0.1:1' } });
  receiver = await startHttpReceiver(status(200));
  for (const role of ['gateway', 'writer', 'evaluator'] as const)
    parts.set(role, await installation.start(role));
  notifier = await installation.start('notifier', {
    TIDEWATCH_HEARTBEAT_URL: receiver.url('/ping'),
    TIDEWATCH_HEARTBEAT_SECONDS: '5',
  });
});
afterAll(async () => {
  await receiver?.close();
  await installation?.close();
});

/** How often a call was due and not made, from one call to the next. */
async function withheld(): Promise<number> {
  const text = await (await fetch(`${notifier.adminUrl}/metrics`)).text();
  return Number(/^tidewatch_heartbeat_calls_total\{outcome="withheld"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function isCalledAgain(): Promise<void> {
  const before = receiver.got.length;
  await expect.poll(() => receiver.got.length, WITHIN).toBeGreaterThan(before);
}

test('the outside watcher is called while everything works', async () => {
  await isCalledAgain();
  await isCalledAgain();
});

test.each(['gateway', 'writer', 'evaluator'])(
  'while the %s stands still the calls stop, and they go on with it',
  async (role) => {
    await isCalledAgain();
    const before = await withheld();
    parts.get(role)?.signal('SIGSTOP');
    await expect.poll(withheld, WITHIN).toBeGreaterThan(before);
    const calls = receiver.got.length;
    parts.get(role)?.signal('SIGCONT');
    expect(receiver.got.length).toBe(calls);
    await isCalledAgain();
  },
  180_000,
);

test('without the notifier nobody calls, though probes are sent', async () => {
  await isCalledAgain();
  await notifier.stop();
  const calls = receiver.got.length;
  const before = await newestProbe();
  await expect.poll(newestProbe, WITHIN).not.toBe(before);
  expect(receiver.got.length).toBe(calls);
});

/** Id of the newest probe that an evaluator has passed on. */
async function newestProbe(): Promise<string | undefined> {
  const store = openStore({ url: installation.database.adminUrl, max: 1 });
  const [row] = await store.sql<{ id: string }[]>`
    select event ->> 'id' as id from outbox where event ->> 'type' = 'pipeline.probe' order by outbox.id desc limit 1`;
  await store.close();
  return row?.id;
}
