import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '@tidewatch/destinations/sender';
import { takeUpAgain } from '@tidewatch/store/notifications/changed-destination';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { delivered, NotifierBed, ORGANIZATION, refused, rejected } from '../testing/notifier.harness.ts';
import { MAX_UNPROVEN_OF_ORGANIZATION } from './attempt-permits.ts';

let bed: NotifierBed;
beforeEach(async () => {
  bed = await NotifierBed.open();
});
afterEach(() => bed?.close());

const statuses = async () => (await bed.notifications()).map(({ status }) => status);
const transitions = (to: string) =>
  bed.sent.filter((sent) => sent.to === to).map(({ transition }) => transition);
const metric = async (name: string) =>
  (await bed.metrics.registry.getSingleMetric(name)?.get())?.values.reduce(
    (sum, { value }) => sum + value,
    0,
  );

/** A send that does not end before it is told to. */
function gate(): { answer: () => Promise<Outcome>; open(outcome?: Outcome): void } {
  let open: (outcome: Outcome) => void = () => {};
  const outcome = new Promise<Outcome>((resolve) => {
    open = resolve;
  });
  return { answer: () => outcome, open: (given = delivered()) => open(given) };
}

test('a firing is told before its resolution on each channel, whatever holds the firing up', async () => {
  const [slow, fast] = [bed.channel(), bed.channel()];
  const held = gate();
  bed.answers.set(slow.id, (sent) => (sent.transition === 'fired' ? held.answer() : delivered()));
  const alert = await bed.alert(await bed.rule({ channels: [slow.id, fast.id] }));
  bed.notifier.start();
  await bed.tell('fired', alert);
  await bed.tell('resolved', alert);
  await expect.poll(() => transitions(fast.id)).toEqual(['fired', 'resolved']);
  expect(transitions(slow.id)).toEqual(['fired']);
  held.open();
  await expect.poll(() => transitions(slow.id)).toEqual(['fired', 'resolved']);
});

test('a resolution is told where the firing was, whatever the rule names by now, and with what it left', async () => {
  const [told, later] = [bed.channel(), bed.channel()];
  bed.answers.set(told.id, () => delivered('thread-1'));
  const rule = await bed.rule({ channels: [told.id] });
  const alert = await bed.alert(rule);
  bed.notifier.start();
  await bed.tell('fired', alert);
  await expect.poll(statuses).toEqual(['delivered']);
  await bed.store.sql`
    update alert_rules set definition = definition || ${bed.store.sql.json({ channels: [later.id] })}`;
  await bed.tell('resolved', alert);
  await expect
    .poll(() => bed.sent.map(({ to, reference }) => [to, reference]))
    .toEqual([
      [told.id, null],
      [told.id, 'thread-1'],
    ]);
});

test('the first retry comes within five seconds, and the same event is sent until it is taken', async () => {
  const channel = bed.channel();
  let failures = 3;
  bed.answers.set(channel.id, () => (failures-- > 0 ? refused() : delivered()));
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [channel.id] })));
  const begun = bed.now;
  bed.notifier.start();
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    await expect.poll(async () => (await bed.notifications())[0]?.attempts).toBe(attempt - 1);
    await expect.poll(() => bed.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
    bed.now += 5_000 * 2 ** (attempt - 2);
    await expect.poll(() => bed.sent.length).toBe(attempt);
  }
  await expect.poll(statuses).toEqual(['delivered']);
  expect(new Set(bed.sent.map(({ eventId }) => eventId)).size).toBe(1);
  expect((bed.sent[1]?.at ?? 0) - begun).toBeLessThanOrEqual(5_000);
});

test('what a destination asks for is kept to, for everything that goes there', async () => {
  const channel = bed.channel();
  const rule = await bed.rule({ channels: [channel.id] });
  bed.answers.set(channel.id, () => refused('it answered 429', 60_000));
  bed.notifier.start();
  await bed.tell('fired', await bed.alert(rule));
  await expect
    .poll(() => bed.store.sql`select 1 from destination_paces where paused_until is not null`)
    .toHaveLength(1);
  bed.answers.delete(channel.id);
  await bed.tell('fired', await bed.alert(rule, { host: 'other' }));
  bed.now += 59_000;
  await expect.poll(async () => (await bed.notifications()).length).toBe(2);
  expect(bed.sent.map(({ hosts }) => hosts[0])).toEqual(['web-01']);
  bed.now += 1_001;
  await expect.poll(statuses).toEqual(['delivered', 'delivered']);
});

test('what can never succeed fails at once, is told as an event, and a resolution of it is not sent', async () => {
  const channel = bed.channel();
  bed.answers.set(channel.id, () => rejected);
  const alert = await bed.alert(await bed.rule({ channels: [channel.id] }));
  bed.notifier.start();
  await bed.publish([bed.event('fired', alert), bed.event('resolved', alert)]);
  await expect.poll(async () => (await statuses()).sort()).toEqual(['failed', 'suppressed']);
  const [row] = await bed.store.sql`select event from outbox`;
  expect(row?.event).toMatchObject({
    type: 'notification.failed',
    data: {
      notification: { status: 'failed', last_error: 'it answered 404', alert_ids: [alert.id], attempts: 1 },
    },
  });
  expect(bed.sent).toHaveLength(1);
});

test('after a day of failures it is given up', async () => {
  const channel = bed.channel();
  bed.answers.set(channel.id, () => refused());
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [channel.id] })));
  bed.now += 24 * 3_600_000;
  bed.notifier.start();
  await expect.poll(statuses).toEqual(['failed']);
});

test('a process that ends between sending and recording has its message sent again, with the same id, and counted', async () => {
  const channel = bed.channel();
  const never = gate();
  bed.answers.set(channel.id, never.answer);
  const alert = await bed.alert(await bed.rule({ channels: [channel.id] }));
  const killed = bed.another({
    sender: {
      async send(to, { event, transition }) {
        bed.sent.push({ to: to.id, transition, eventId: event.id, hosts: [], reference: null, at: bed.now });
        return never.answer();
      },
    },
  });
  killed.start();
  await bed.tell('fired', alert);
  await expect.poll(() => bed.sent.length).toBe(1);
  bed.answers.delete(channel.id);
  // It begins nothing any more, or it might make the attempt again itself.
  const ended = killed.stop();
  bed.notifier.start();
  expect(await metric('tidewatch_notifications_repeated_total')).toBe(0);
  bed.now += 30_001;
  await expect.poll(statuses).toEqual(['delivered']);
  expect(new Set(bed.sent.map(({ eventId }) => eventId)).size).toBe(1);
  expect(await metric('tidewatch_notifications_repeated_total')).toBe(1);
  // The one that was only slow does not change what its successor has recorded.
  never.open(rejected);
  await ended;
  expect(await bed.notifications()).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

test('a process that is being stopped claims nothing any more, whatever else of it is still under way', async () => {
  const channel = bed.channel();
  bed.answers.set(channel.id, () => refused());
  bed.notifier.start();
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [channel.id] })));
  await expect.poll(() => bed.sent.length).toBe(1);
  await bed.store.transact(async (tx) => {
    // Reminders are looked for in it, and wait.
    await tx`lock table alert_tellings in access exclusive mode`;
    await expect
      .poll(async () => (await bed.store.sql`select 1 from pg_locks where not granted`).length)
      .toBeGreaterThan(0);
    void bed.notifier.stop();
    bed.now += 3_600_000;
    await sleep(200);
  });
  expect(bed.sent).toHaveLength(1);
});

test('one bad destination holds up no other', async () => {
  const [bad, good] = [bed.channel(), bed.channel()];
  const hanging = gate();
  bed.answers.set(bad.id, hanging.answer);
  const rules = await Promise.all(
    Array.from({ length: 10 }, () => bed.rule({ channels: [bad.id, good.id] })),
  );
  bed.notifier.start();
  for (const rule of rules) await bed.tell('fired', await bed.alert(rule));
  await expect.poll(() => transitions(good.id).length).toBe(10);
  expect(transitions(bad.id)).toHaveLength(4);
  hanging.open();
  await expect.poll(() => transitions(bad.id).length).toBe(10);
});

test('after failures in a row a destination is left alone, until one message finds it back', async () => {
  const channel = bed.channel();
  bed.answers.set(channel.id, () => refused());
  const rules = await Promise.all(Array.from({ length: 8 }, () => bed.rule({ channels: [channel.id] })));
  for (const rule of rules) await bed.tell('fired', await bed.alert(rule));
  bed.notifier.start();
  const open = () => metric('tidewatch_destination_breakers');
  await expect.poll(open).toBe(1);
  await expect.poll(() => bed.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
  const before = bed.sent.length;
  expect(before).toBeGreaterThanOrEqual(5);
  expect(before).toBeLessThanOrEqual(8);
  bed.answers.delete(channel.id);
  bed.now += 3 * 60_000;
  await expect.poll(async () => new Set(await statuses())).toEqual(new Set(['delivered']));
  await expect.poll(open).toBe(0);
});

test('a destination that is left alone is told at once of everything when its channel was changed', async () => {
  const channel = bed.channel();
  bed.answers.set(channel.id, () => refused());
  const rules = await Promise.all(Array.from({ length: 8 }, () => bed.rule({ channels: [channel.id] })));
  for (const rule of rules) await bed.tell('fired', await bed.alert(rule));
  bed.notifier.start();
  await expect.poll(() => metric('tidewatch_destination_breakers')).toBe(1);
  await expect.poll(() => bed.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
  bed.gone.set(channel.id, 'channel_deleted');
  const [organizationId, id, now] = [ORGANIZATION, channel.id, bed.now];
  await bed.store.transact((tx) => takeUpAgain(tx, { organizationId, id, now }));
  // A notifier that has seen the failures looks again within five seconds.
  bed.now += 5_000;
  await expect.poll(async () => new Set(await statuses())).toEqual(new Set(['not_configured']));
});

test('several notifiers share a queue, and the rate of a channel holds for all of them', async () => {
  const channel = bed.channel({ kind: 'slack' });
  const rules = await Promise.all(Array.from({ length: 12 }, () => bed.rule({ channels: [channel.id] })));
  for (const rule of rules) await bed.tell('fired', await bed.alert(rule));
  const all = [bed.notifier, bed.another(), bed.another()];
  for (const notifier of all) notifier.start();
  await expect.poll(() => bed.sent.length).toBe(5);
  for (let second = 1; second <= 7; second += 1) {
    await expect.poll(() => bed.store.sql`select 1 from notifications where attempting`).toHaveLength(0);
    bed.now += 1_000;
    await expect.poll(() => bed.sent.length).toBe(5 + second);
  }
  expect(new Set(bed.sent.map(({ eventId }) => eventId)).size).toBe(12);
  await Promise.all(all.map((notifier) => notifier.stop()));
});

test('a channel that is gone by the time is recorded, and nothing is sent', async () => {
  const channel = bed.channel();
  bed.gone.set(channel.id, 'channel_deleted');
  bed.notifier.start();
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [channel.id] })));
  await expect
    .poll(() => bed.notifications())
    .toMatchObject([{ status: 'not_configured', reason: 'channel_deleted', attempts: 0 }]);
  expect(bed.sent).toEqual([]);
});

test('30 channels whose destinations hang leave places to one that answered before', async () => {
  const proven = bed.channel();
  bed.notifier.start();
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [proven.id] })));
  await expect.poll(() => transitions(proven.id)).toEqual(['fired']);
  const hanging = Array.from({ length: 30 }, () => bed.channel());
  const held = gate();
  for (const { id } of hanging) bed.answers.set(id, () => held.answer());
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: hanging.map(({ id }) => id) })));
  const begun = () => hanging.filter(({ id }) => transitions(id).length > 0).length;
  await expect.poll(begun).toBe(MAX_UNPROVEN_OF_ORGANIZATION);
  await bed.tell('fired', await bed.alert(await bed.rule({ channels: [proven.id] })));
  await expect.poll(() => transitions(proven.id)).toEqual(['fired', 'fired']);
  expect(begun()).toBe(MAX_UNPROVEN_OF_ORGANIZATION);
  held.open();
  await expect.poll(begun).toBe(30);
});
