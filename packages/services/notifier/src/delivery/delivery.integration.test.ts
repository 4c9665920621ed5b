import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '@tidewatch/destinations/notice';
import { openForTest } from '@tidewatch/harness/opened';
import { resetDestination } from '@tidewatch/store/notifications/changed-destination';
import { beforeEach, expect, test } from 'vitest';
import { delivered, NotifierHarness, ORGANIZATION, refused, rejected } from '../testing/notifier.harness.ts';
import { MAX_UNPROVEN_OF_ORGANIZATION } from './attempt-permits.ts';

let harness: NotifierHarness;
beforeEach(async () => {
  harness = await openForTest(NotifierHarness.open());
});

const statuses = async () => (await harness.notifications()).map(({ status }) => status);
const transitions = (to: string) =>
  harness.sent.filter((sent) => sent.to === to).map(({ transition }) => transition);
const metric = async (name: string) =>
  (await harness.metrics.registry.getSingleMetric(name)?.get())?.values.reduce(
    (sum, { value }) => sum + value,
    0,
  );

/** A send that ends when the test opens the gate. */
function gate(): { answer: () => Promise<Outcome>; open(outcome?: Outcome): void } {
  let open: (outcome: Outcome) => void = () => {};
  const outcome = new Promise<Outcome>((resolve) => {
    open = resolve;
  });
  return { answer: () => outcome, open: (given = delivered()) => open(given) };
}

test('a channel gets the firing before its resolution, even if the firing is delayed', async () => {
  const [slow, fast] = [harness.channel(), harness.channel()];
  const held = gate();
  harness.answers.set(slow.id, (sent) => (sent.transition === 'fired' ? held.answer() : delivered()));
  const alert = await harness.alert(await harness.rule({ channels: [slow.id, fast.id] }));
  harness.notifier.start();
  await harness.emit('fired', alert);
  await harness.emit('resolved', alert);
  await expect.poll(() => transitions(fast.id)).toEqual(['fired', 'resolved']);
  expect(transitions(slow.id)).toEqual(['fired']);
  held.open();
  await expect.poll(() => transitions(slow.id)).toEqual(['fired', 'resolved']);
});

test('a resolution goes to the channel of the firing with its reference, also after the rule changed its channels', async () => {
  const [notified, later] = [harness.channel(), harness.channel()];
  harness.answers.set(notified.id, () => delivered('thread-1'));
  const rule = await harness.rule({ channels: [notified.id] });
  const alert = await harness.alert(rule);
  harness.notifier.start();
  await harness.emit('fired', alert);
  await expect.poll(statuses).toEqual(['delivered']);
  await harness.store.sql`
    update alert_rules set definition = definition || ${harness.store.sql.json({ channels: [later.id] })}`;
  await harness.emit('resolved', alert);
  await expect
    .poll(() => harness.sent.map(({ to, reference }) => [to, reference]))
    .toEqual([
      [notified.id, null],
      [notified.id, 'thread-1'],
    ]);
});

test('a failed notification is retried within five seconds with the same event until it is delivered', async () => {
  const channel = harness.channel();
  let failures = 3;
  harness.answers.set(channel.id, () => (failures-- > 0 ? refused() : delivered()));
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: [channel.id] })));
  const begun = harness.now;
  harness.notifier.start();
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    await expect.poll(async () => (await harness.notifications())[0]?.attempts).toBe(attempt - 1);
    await expect.poll(() => harness.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
    harness.now += 5_000 * 2 ** (attempt - 2);
    await expect.poll(() => harness.sent.length).toBe(attempt);
  }
  await expect.poll(statuses).toEqual(['delivered']);
  expect(new Set(harness.sent.map(({ eventId }) => eventId)).size).toBe(1);
  expect((harness.sent[1]?.at ?? 0) - begun).toBeLessThanOrEqual(5_000);
});

test('the Retry-After of a destination delays all notifications to it', async () => {
  const channel = harness.channel();
  const rule = await harness.rule({ channels: [channel.id] });
  harness.answers.set(channel.id, () => refused('it answered 429', 60_000));
  harness.notifier.start();
  await harness.emit('fired', await harness.alert(rule));
  await expect
    .poll(() => harness.store.sql`select 1 from destination_paces where paused_until is not null`)
    .toHaveLength(1);
  harness.answers.delete(channel.id);
  await harness.emit('fired', await harness.alert(rule, { host: 'other' }));
  harness.now += 59_000;
  await expect.poll(async () => (await harness.notifications()).length).toBe(2);
  expect(harness.sent.map(({ hosts }) => hosts[0])).toEqual(['web-01']);
  harness.now += 1_001;
  await expect.poll(statuses).toEqual(['delivered', 'delivered']);
});

test('a permanent failure is not retried, emits notification.failed and suppresses the resolution', async () => {
  const channel = harness.channel();
  harness.answers.set(channel.id, () => rejected);
  const alert = await harness.alert(await harness.rule({ channels: [channel.id] }));
  harness.notifier.start();
  await harness.publish([harness.event('fired', alert), harness.event('resolved', alert)]);
  await expect.poll(async () => (await statuses()).sort()).toEqual(['failed', 'suppressed']);
  const [row] = await harness.store.sql`select event from outbox`;
  expect(row?.event).toMatchObject({
    type: 'notification.failed',
    data: {
      notification: { status: 'failed', last_error: 'it answered 404', alert_ids: [alert.id], attempts: 1 },
    },
  });
  expect(harness.sent).toHaveLength(1);
});

test('a notification fails for good after a day of failures', async () => {
  const channel = harness.channel();
  harness.answers.set(channel.id, () => refused());
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: [channel.id] })));
  harness.now += 24 * 3_600_000;
  harness.notifier.start();
  await expect.poll(statuses).toEqual(['failed']);
});

test('an attempt whose outcome was not recorded is repeated with the same event id and counted', async () => {
  const channel = harness.channel();
  const never = gate();
  harness.answers.set(channel.id, never.answer);
  const alert = await harness.alert(await harness.rule({ channels: [channel.id] }));
  const killed = harness.another({
    sender: {
      async send(to, { event, transition }) {
        harness.sent.push({
          to: to.id,
          transition,
          eventId: event.id,
          hosts: [],
          reference: null,
          at: harness.now,
        });
        return never.answer();
      },
    },
  });
  killed.start();
  await harness.emit('fired', alert);
  await expect.poll(() => harness.sent.length).toBe(1);
  harness.answers.delete(channel.id);
  // A notifier that is stopped claims nothing, so that it cannot repeat the attempt itself.
  const ended = killed.stop();
  harness.notifier.start();
  expect(await metric('tidewatch_notifications_repeated_total')).toBe(0);
  harness.now += 30_001;
  await expect.poll(statuses).toEqual(['delivered']);
  expect(new Set(harness.sent.map(({ eventId }) => eventId)).size).toBe(1);
  expect(await metric('tidewatch_notifications_repeated_total')).toBe(1);
  // The late outcome of the first attempt does not change the outcome recorded for the second.
  never.open(rejected);
  await ended;
  expect(await harness.notifications()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

test('a notifier that is being stopped claims nothing more, also while its upkeep is still running', async () => {
  const channel = harness.channel();
  harness.answers.set(channel.id, () => refused());
  harness.notifier.start();
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: [channel.id] })));
  await expect.poll(() => harness.sent.length).toBe(1);
  await harness.store.transact(async (tx) => {
    // Locks a table that upkeep reads, so that upkeep waits.
    await tx`lock table alert_notices in access exclusive mode`;
    await expect
      .poll(async () => (await harness.store.sql`select 1 from pg_locks where not granted`).length)
      .toBeGreaterThan(0);
    void harness.notifier.stop();
    harness.now += 3_600_000;
    await sleep(200);
  });
  expect(harness.sent).toHaveLength(1);
});

test('a hanging destination does not delay other destinations', async () => {
  const [bad, good] = [harness.channel(), harness.channel()];
  const hanging = gate();
  harness.answers.set(bad.id, hanging.answer);
  const rules = await Promise.all(
    Array.from({ length: 10 }, () => harness.rule({ channels: [bad.id, good.id] })),
  );
  harness.notifier.start();
  for (const rule of rules) await harness.emit('fired', await harness.alert(rule));
  await expect.poll(() => transitions(good.id).length).toBe(10);
  expect(transitions(bad.id)).toHaveLength(4);
  hanging.open();
  await expect.poll(() => transitions(bad.id).length).toBe(10);
});

test('after consecutive failures a destination gets no messages until a probe message is delivered', async () => {
  const channel = harness.channel();
  harness.answers.set(channel.id, () => refused());
  const rules = await Promise.all(Array.from({ length: 8 }, () => harness.rule({ channels: [channel.id] })));
  for (const rule of rules) await harness.emit('fired', await harness.alert(rule));
  harness.notifier.start();
  const open = () => metric('tidewatch_destination_breakers');
  await expect.poll(open).toBe(1);
  await expect.poll(() => harness.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
  const before = harness.sent.length;
  expect(before).toBeGreaterThanOrEqual(5);
  expect(before).toBeLessThanOrEqual(8);
  harness.answers.delete(channel.id);
  harness.now += 3 * 60_000;
  await expect.poll(async () => new Set(await statuses())).toEqual(new Set(['delivered']));
  await expect.poll(open).toBe(0);
});

test('a change of its channel closes the open circuit breaker of a destination', async () => {
  const channel = harness.channel();
  harness.answers.set(channel.id, () => refused());
  const rules = await Promise.all(Array.from({ length: 8 }, () => harness.rule({ channels: [channel.id] })));
  for (const rule of rules) await harness.emit('fired', await harness.alert(rule));
  harness.notifier.start();
  await expect.poll(() => metric('tidewatch_destination_breakers')).toBe(1);
  await expect.poll(() => harness.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
  harness.gone.set(channel.id, 'channel_deleted');
  const [organizationId, id, now] = [ORGANIZATION, channel.id, harness.now];
  await harness.store.transact((tx) => resetDestination(tx, { organizationId, id, now }));
  // A notifier that has seen the failures polls again within five seconds.
  harness.now += 5_000;
  await expect.poll(async () => new Set(await statuses())).toEqual(new Set(['not_configured']));
});

test('several notifiers share the queue and the rate of a channel', async () => {
  const channel = harness.channel({ kind: 'slack' });
  const rules = await Promise.all(Array.from({ length: 12 }, () => harness.rule({ channels: [channel.id] })));
  for (const rule of rules) await harness.emit('fired', await harness.alert(rule));
  const all = [harness.notifier, harness.another(), harness.another()];
  for (const notifier of all) notifier.start();
  await expect.poll(() => harness.sent.length).toBe(5);
  for (let second = 1; second <= 7; second += 1) {
    await expect.poll(() => harness.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
    harness.now += 1_000;
    await expect.poll(() => harness.sent.length).toBe(5 + second);
  }
  expect(new Set(harness.sent.map(({ eventId }) => eventId)).size).toBe(12);
  await Promise.all(all.map((notifier) => notifier.stop()));
});

test('a notification of a deleted channel is recorded as not configured and not sent', async () => {
  const channel = harness.channel();
  harness.gone.set(channel.id, 'channel_deleted');
  harness.notifier.start();
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: [channel.id] })));
  await expect
    .poll(() => harness.notifications())
    .toMatchObject([{ status: 'not_configured', reason: 'channel_deleted', attempts: 0 }]);
  expect(harness.sent).toEqual([]);
});

test('30 hanging channels do not delay a channel that answered before', async () => {
  const proven = harness.channel();
  harness.notifier.start();
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: [proven.id] })));
  await expect.poll(() => transitions(proven.id)).toEqual(['fired']);
  const hanging = Array.from({ length: 30 }, () => harness.channel());
  const held = gate();
  for (const { id } of hanging) harness.answers.set(id, () => held.answer());
  await harness.emit(
    'fired',
    await harness.alert(await harness.rule({ channels: hanging.map(({ id }) => id) })),
  );
  const begun = () => hanging.filter(({ id }) => transitions(id).length > 0).length;
  await expect.poll(begun).toBe(MAX_UNPROVEN_OF_ORGANIZATION);
  await harness.emit('fired', await harness.alert(await harness.rule({ channels: [proven.id] })));
  await expect.poll(() => transitions(proven.id)).toEqual(['fired', 'fired']);
  expect(begun()).toBe(MAX_UNPROVEN_OF_ORGANIZATION);
  held.open();
  await expect.poll(begun).toBe(30);
});
