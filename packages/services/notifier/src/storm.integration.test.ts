import { openForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, test } from 'vitest';
import { delivered, NotifierHarness, refused } from './testing/notifier.harness.ts';

let harness: NotifierHarness;
beforeEach(async () => {
  harness = await openForTest(NotifierHarness.open());
});

const hostsNotified = (transition: (each: string) => boolean = () => true) =>
  harness.sent.filter((sent) => transition(sent.transition)).flatMap(({ hosts }) => hosts);

async function alertsOn(channels: string[], count: number, prefix = 'host') {
  const rule = await harness.rule({ channels });
  return Promise.all(
    Array.from({ length: count }, (_, n) => harness.alert(rule, { host: `${prefix}-${n}` })),
  );
}

/** Advances the clock until `done`. */
async function until(done: () => boolean | Promise<boolean>, stepMs = 1_000): Promise<void> {
  await expect
    .poll(
      async () => {
        harness.now += stepMs;
        return done();
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBe(true);
}

test('the first five alerts of a rule are sent at once, the rest as one digest at the end of the window', async () => {
  const channel = harness.channel();
  const alerts = await alertsOn([channel.id], 20);
  harness.notifier.start();
  await harness.emit('fired', ...alerts.slice(0, 12));
  harness.now += 10_000;
  await harness.emit('fired', ...alerts.slice(12));
  await expect.poll(() => harness.sent.map(({ transition }) => transition)).toEqual(Array(5).fill('fired'));
  harness.now += 19_999;
  await harness.emit('fired', ...(await alertsOn([channel.id], 1, 'another-rule')));
  await expect.poll(() => harness.sent.length).toBe(6);
  expect(hostsNotified().sort()).toEqual([
    'another-rule-0',
    'host-0',
    'host-1',
    'host-2',
    'host-3',
    'host-4',
  ]);
  harness.now += 1;
  await expect.poll(() => harness.sent.length).toBe(7);
  expect(harness.sent.at(-1)).toMatchObject({ transition: 'digest' });
  expect(harness.sent.at(-1)?.hosts.toSorted()).toEqual(
    alerts
      .slice(5)
      .map(({ host }) => host)
      .sort(),
  );
  await harness.emit('fired', ...(await alertsOn([channel.id], 1, 'later')));
  await expect.poll(() => harness.sent.at(-1)).toMatchObject({ transition: 'fired', hosts: ['later-0'] });
});

test('a digest that gathered one alert is sent as the event of that alert', async () => {
  const channel = harness.channel();
  const alerts = await alertsOn([channel.id], 6);
  const events = alerts.map((alert) => harness.event('fired', alert)) as { id: string }[];
  await harness.publish(events);
  harness.notifier.start();
  harness.now += 30_000;
  await expect.poll(() => harness.sent.length).toBe(6);
  expect(harness.sent.map(({ eventId }) => eventId).sort()).toEqual(events.map(({ id }) => id).sort());
  expect(new Set(harness.sent.map(({ transition }) => transition))).toEqual(new Set(['fired']));
});

test('alerts that resolve while their firings gather are sent as a digest of resolutions after them', async () => {
  const channel = harness.channel();
  const alerts = await alertsOn([channel.id], 30);
  harness.notifier.start();
  await harness.emit('fired', ...alerts);
  await harness.emit('resolved', ...alerts);
  await until(() => hostsNotified().length >= 60);
  const directionsOf = new Map<string, string[]>();
  const order = await harness.store.sql<{ alert_id: string; direction: string; sent_at: number }[]>`
    select a.alert_id, n.direction, n.sent_at from notification_alerts a
    join notifications n on n.organization_id = a.organization_id and n.id = a.notification_id order by n.sent_at, n.direction`;
  for (const { alert_id: id, direction } of order)
    directionsOf.set(id, [...(directionsOf.get(id) ?? []), direction]);
  expect([...directionsOf.values()]).toEqual(Array(30).fill(['opening', 'resolution']));
  expect(harness.sent.length).toBeLessThanOrEqual(12);
  expect(hostsNotified().length).toBe(60);
});

test('a digest leaves out the resolutions of alerts whose firing was not delivered', async () => {
  const channel = harness.channel();
  const alerts = await alertsOn([channel.id], 10);
  const lost = alerts[9]?.host ?? '';
  harness.answers.set(channel.id, ({ hosts, transition }) =>
    transition === 'fired' && hosts.includes('host-0')
      ? { status: 'failed', retryable: false, retryAfterMs: null, error: 'it answered 400' }
      : delivered(),
  );
  harness.notifier.start();
  await harness.emit('fired', ...alerts);
  await until(async () => (await harness.notifications()).every(({ status }) => status !== 'queued'));
  // The firing of host-0 failed for good; its resolution is published last, so that it is part of the digest.
  await harness.emit('resolved', ...alerts.slice(1), ...alerts.slice(0, 1));
  await until(async () => (await harness.notifications()).every(({ status }) => status !== 'queued'));
  const resolutions = harness.sent.slice(-6).flatMap(({ hosts }) => hosts);
  expect(resolutions).toContain(lost);
  expect(resolutions).not.toContain('host-0');
});

test('10,000 alerts at once are all sent in digests within the rate of the channel, over failures and a restart', async () => {
  const channel = harness.channel();
  const alerts = await alertsOn([channel.id], 10_000);
  let failures = 20;
  harness.answers.set(channel.id, () => (failures-- > 0 ? refused() : delivered()));
  harness.notifier.start();
  const before = process.memoryUsage().heapUsed;
  for (let from = 0; from < alerts.length; from += 500)
    await harness.emit('fired', ...alerts.slice(from, from + 500));
  const grown = process.memoryUsage().heapUsed - before;
  const begun = harness.now;
  harness.now += 30_000;
  await until(() => harness.sent.length > 40, 10_000);
  await harness.notifier.stop();
  harness.notifier = harness.another();
  harness.notifier.start();
  await until(
    async () => (await harness.notifications()).every(({ status }) => status === 'delivered'),
    10_000,
  );
  const records = await harness.notifications();
  expect(records.length).toBe(5 + Math.ceil((10_000 - 5) / 100));
  const [notified] = await harness.store
    .sql`select count(distinct alert_id)::int as alerts from notification_alerts`;
  expect(notified?.alerts).toBe(10_000);
  expect(new Set(hostsNotified()).size).toBe(10_000);
  const seconds = (harness.now - begun) / 1_000;
  expect(harness.sent.length).toBeLessThanOrEqual(20 + 10 * seconds);
  // The size of 10,000 events of some 2 kB: more would mean that the queue is held in memory instead of the database.
  expect(grown).toBeLessThan(150 * 1024 * 1024);
});
