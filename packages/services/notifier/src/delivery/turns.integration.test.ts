import type { Outcome } from '@tidewatch/destinations/notice';
import { openForTest } from '@tidewatch/harness/opened';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotifierHarness, refused } from '../testing/notifier.harness.ts';
import { MAX_ATTEMPTS_OF_ORGANIZATION, MAX_FAILING_OF_ORGANIZATION } from './attempt-permits.ts';

let harness: NotifierHarness;
beforeEach(async () => {
  harness = await openForTest(NotifierHarness.open());
});
afterEach(() => release());

const ids = (count: number) => Array.from({ length: count }, () => harness.channel().id);
const sentTo = (id: string) => harness.sent.filter(({ to }) => to === id);
const attempting = async () => (await harness.store.sql`select 1 from notifications where attempting`).length;
let release = () => {};

/** Makes destinations accept a message and answer only when the test ends. */
function hang(channels: readonly string[]): void {
  const held = new Promise<Outcome>((resolve) => {
    release = () => resolve(refused());
  });
  for (const id of channels) harness.answers.set(id, () => held);
}

test('100 hanging destinations do not delay a destination of the same organization that answered before', async () => {
  const good = harness.channel().id;
  const bad = ids(100);
  harness.notifier.start();
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: [good] })));
  await expect
    .poll(() => harness.store.sql`select 1 from destination_paces where answered_at is not null`)
    .toHaveLength(1);
  hang(bad);
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: bad }), { host: 'storm' }));
  await expect.poll(attempting).toBeGreaterThan(0);
  await harness.emit(
    'fired',
    await harness.alert(await harness.rule({ channels: [good] }), { host: 'after' }),
  );
  await expect.poll(() => sentTo(good).map(({ hosts }) => hosts[0])).toEqual(['web-01', 'after']);
  expect(await attempting()).toBeLessThan(MAX_ATTEMPTS_OF_ORGANIZATION);
});

test('destinations whose last attempt failed get few concurrent attempts, however many are due', async () => {
  const bad = ids(30);
  for (const id of bad) harness.answers.set(id, () => refused());
  harness.notifier.start();
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: bad })));
  await expect
    .poll(() => harness.store.sql`select 1 from destination_paces where failures = 1`)
    .toHaveLength(30);
  hang(bad);
  const before = harness.sent.length;
  harness.now += 10_000;
  await expect.poll(() => harness.sent.length - before).toBe(MAX_FAILING_OF_ORGANIZATION);
  expect(await attempting()).toBe(MAX_FAILING_OF_ORGANIZATION);
});

test('a channel gets critical notifications before warning, info and events', async () => {
  const channel = harness.channel({ kind: 'slack' }).id;
  const severities = ['info', 'warning', 'critical'] as const;
  for (const severity of severities)
    for (let n = 0; n < 4; n += 1)
      await harness.emit(
        'fired',
        await harness.alert(await harness.rule({ channels: [channel] }), { severity, host: severity }),
      );
  harness.notifier.start();
  // Advances time for a burst of five messages and then one a second.
  await expect.poll(() => harness.sent.length).toBe(5);
  await expect.poll(attempting).toBe(0);
  expect(harness.sent.map(({ hosts }) => hosts[0]).sort()).toEqual([...Array(4).fill('critical'), 'warning']);
});

test('a digest with a critical alert, and the firing before a critical escalation, get the priority of critical', async () => {
  const channel = harness.channel().id;
  const rule = await harness.rule({ channels: [channel] });
  const alerts = await Promise.all(
    Array.from({ length: 7 }, (_, n) => harness.alert(rule, { severity: 'info', host: `host-${n}` })),
  );
  await harness.emit('fired', ...alerts);
  const digests = () =>
    harness.store.sql<{ priority: number }[]>`select priority from notifications where transition = 'digest'`;
  expect(await digests()).toEqual([{ priority: 2 }]);
  const [first, ...rest] = alerts as [(typeof alerts)[0], ...typeof alerts];
  await harness.emit('escalated', { ...first, severity: 'critical' });
  expect(rest.length).toBe(6);
  expect(await digests()).toEqual([{ priority: 0 }]);
  const [waitedFor] = await harness.store.sql`
    select n.priority from notifications n join notification_alerts a on a.organization_id = n.organization_id and a.notification_id = n.id
    where a.alert_id = ${first.id} and n.transition = 'fired'`;
  expect(waitedFor?.priority).toBe(0);
});
