import type { Outcome } from '@tidewatch/destinations/sender';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotifierBed, refused } from '../testing/notifier.harness.ts';
import { MAX_ATTEMPTS_OF_ORGANIZATION, MAX_FAILING_OF_ORGANIZATION } from './attempt-permits.ts';

let bed: NotifierBed;
beforeEach(async () => {
  bed = await NotifierBed.open();
});
afterEach(async () => {
  letGo();
  await bed?.close();
});

const ids = (count: number) => Array.from({ length: count }, () => bed.channel().id);
const sentTo = (id: string) => bed.sent.filter(({ to }) => to === id);
const attempting = async () => (await bed.store.sql`select 1 from notifications where attempting`).length;
let letGo = () => {};

/** Destinations that take a message and answer it only when the test ends. */
function hang(channels: readonly string[]): void {
  const held = new Promise<Outcome>((resolve) => {
    letGo = () => resolve(refused());
  });
  for (const id of channels) bed.answers.set(id, () => held);
}

test('100 hanging destinations leave places to a destination of the same organization that answered before', async () => {
  const good = bed.channel().id;
  const bad = ids(100);
  bed.notifier.start();
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [good] })));
  await expect
    .poll(() => bed.store.sql`select 1 from destination_paces where answered_at is not null`)
    .toHaveLength(1);
  hang(bad);
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: bad }), { host: 'storm' }));
  await expect.poll(attempting).toBeGreaterThan(0);
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [good] }), { host: 'after' }));
  await expect.poll(() => sentTo(good).map(({ hosts }) => hosts[0])).toEqual(['web-01', 'after']);
  expect(await attempting()).toBeLessThan(MAX_ATTEMPTS_OF_ORGANIZATION);
});

test('destinations that failed the last time have few places, however many of them are due', async () => {
  const bad = ids(30);
  for (const id of bad) bed.answers.set(id, () => refused());
  bed.notifier.start();
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: bad })));
  await expect.poll(() => bed.store.sql`select 1 from destination_paces where failures = 1`).toHaveLength(30);
  hang(bad);
  const before = bed.sent.length;
  bed.now += 10_000;
  await expect.poll(() => bed.sent.length - before).toBe(MAX_FAILING_OF_ORGANIZATION);
  expect(await attempting()).toBe(MAX_FAILING_OF_ORGANIZATION);
});

test('of one channel, critical is delivered before warning, info and events, whatever was decided first', async () => {
  const channel = bed.channel({ kind: 'slack' }).id;
  const severities = ['info', 'warning', 'critical'] as const;
  for (const severity of severities)
    for (let n = 0; n < 4; n += 1)
      await bed.tell(
        'fired',
        await bed.alert(await bed.rule({ channels: [channel] }), { severity, host: severity }),
      );
  bed.notifier.start();
  // A burst of five, then one each second: four critical, and one warning.
  await expect.poll(() => bed.sent.length).toBe(5);
  await expect.poll(attempting).toBe(0);
  expect(bed.sent.map(({ hosts }) => hosts[0]).sort()).toEqual([...Array(4).fill('critical'), 'warning']);
});

test('a digest, and what a critical message waits for, are as urgent as the critical alert', async () => {
  const channel = bed.channel().id;
  const rule = await bed.rule({ channels: [channel] });
  const alerts = await Promise.all(
    Array.from({ length: 7 }, (_, n) => bed.alert(rule, { severity: 'info', host: `host-${n}` })),
  );
  await bed.tell('fired', ...alerts);
  const digests = () =>
    bed.store.sql<{ priority: number }[]>`select priority from notifications where transition = 'digest'`;
  expect(await digests()).toEqual([{ priority: 2 }]);
  const [first, ...rest] = alerts as [(typeof alerts)[0], ...typeof alerts];
  await bed.tell('escalated', { ...first, severity: 'critical' });
  expect(rest.length).toBe(6);
  expect(await digests()).toEqual([{ priority: 0 }]);
  const [waitedFor] = await bed.store.sql`
    select n.priority from notifications n join notification_alerts a on a.org_id = n.org_id and a.notification_id = n.id
    where a.alert_id = ${first.id} and n.transition = 'fired'`;
  expect(waitedFor?.priority).toBe(0);
});
