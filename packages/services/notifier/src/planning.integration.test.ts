import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotifierBed } from './notifier.bed.ts';

let bed: NotifierBed;
beforeEach(async () => {
  bed = await NotifierBed.open();
});
afterEach(() => bed?.close());

const outcomes = async () => (await bed.notifications()).map(({ status, reason }) => reason ?? status);

test.each([
  ['backfilled', { backfilled: true }],
  ['shadow', { shadow: true }],
  ['silenced', { silenced_by: newId('sil') }],
])('%s: nobody is told, and the record says why', async (reason, fields) => {
  const rule = await bed.rule({ channels: [bed.channel().id, bed.channel().id] });
  const alert = await bed.alert(rule, fields);
  await bed.tell('fired', alert);
  expect(await outcomes()).toEqual([reason, reason]);
  await bed.tell('resolved', alert);
  expect(await outcomes()).toEqual([reason, reason, 'firing_not_told', 'firing_not_told']);
});

test('an event that is delivered again makes no second record', async () => {
  const rule = await bed.rule({ channels: [bed.channel().id] });
  const event = bed.event('fired', await bed.alert(rule));
  await bed.publish([event, event]);
  await bed.publish([event]);
  expect(await outcomes()).toEqual(['queued']);
});

test('a kind means its default, a channel is told once however often it is named, and what is not there is recorded', async () => {
  const slack = bed.channel({ kind: 'slack', isDefault: true });
  const off = bed.channel({ state: 'disabled' });
  const deleted = bed.channel({ state: 'deleted' });
  const picky = bed.channel({ events: ['alert.resolved'] });
  const rule = await bed.rule({
    channels: ['slack', slack.id, 'pagerduty', off.id, deleted.id, picky.id],
  });
  await bed.tell('fired', await bed.alert(rule));
  const found = (await bed.notifications()).map(({ channel, reason, status }) => [channel, status, reason]);
  expect(found.sort()).toEqual(
    [
      [slack.id, 'queued', null],
      ['pagerduty', 'not_configured', 'no_default'],
      [off.id, 'not_configured', 'channel_disabled'],
      [deleted.id, 'not_configured', 'channel_deleted'],
      [picky.id, 'suppressed', 'not_subscribed'],
    ].sort(),
  );
});

test('while a host is offline its other alerts are not told, and those that go on are told once it is back', async () => {
  const rule = await bed.rule({ channels: [bed.channel().id] });
  const offlineRule = await bed.rule({ metric: 'host.silent_minutes', channels: [bed.channel().id] });
  const service_id = newId('svc');
  const offline = await bed.alert(offlineRule, { service_id, metric: 'host.silent_minutes' }, true);
  const [ends, lasts] = [
    await bed.alert(rule, { service_id }, true),
    await bed.alert(rule, { service_id }, true),
  ];
  await bed.tell('fired', offline, ends, lasts, await bed.alert(rule));
  expect(await outcomes()).toEqual(['queued', 'host_offline', 'host_offline', 'queued']);
  await bed.tell('resolved', ends);
  bed.notifier.start();
  await bed.store.sql`update alerts set status = 'resolved' where id = any(${[offline.id, ends.id]})`;
  const reminders = () => bed.store.sql`
    select event ->> 'subject' as subject, event ->> 'type' as type from outbox`;
  await expect.poll(reminders).toEqual([{ subject: lasts.id, type: 'alert.renotified' }]);
  const [event] = await bed.store.sql`select event from outbox`;
  await bed.publish([event?.event]);
  await expect.poll(() => bed.sent.filter(({ transition }) => transition === 'renotified').length).toBe(1);
});

test('after the notice that it flaps a stream is quiet until it is calm', async () => {
  const rule = await bed.rule({ channels: [bed.channel().id] });
  const service_id = newId('svc');
  const next = () => bed.alert(rule, { service_id }, true);
  const minutes = (n: number) => {
    bed.now += n * 60_000;
  };
  const first = await next();
  await bed.tell('fired', first);
  await bed.tell('flapping', first);
  await bed.tell('resolved', first);
  minutes(50);
  const second = await next();
  await bed.tell('fired', second);
  await bed.tell('flapping', second);
  await bed.tell('resolved', second);
  minutes(50);
  const other = await bed.alert(rule);
  await bed.tell('fired', other);
  minutes(11);
  const third = await next();
  await bed.tell('fired', third);
  expect(await outcomes()).toEqual([
    ...['queued', 'queued', 'queued'],
    ...['flapping', 'flapping', 'firing_not_told'],
    ...['queued', 'queued'],
  ]);
});

test('an alert that was quieted and goes on is told once its stream is calm', async () => {
  const rule = await bed.rule({ channels: [bed.channel().id] });
  const service_id = newId('svc');
  await bed.tell('flapping', await bed.alert(rule, { service_id }));
  const alert = await bed.alert(rule, { service_id }, true);
  await bed.tell('fired', alert);
  expect(await outcomes()).toEqual(['queued', 'flapping']);
  bed.notifier.start();
  bed.now += 60 * 60_000 + 1;
  await expect
    .poll(() => bed.store.sql`select event ->> 'subject' as subject from outbox`)
    .toEqual([{ subject: alert.id }]);
});

test('a reminder comes once in the time that the rule says, until somebody acknowledges or it ends', async () => {
  const rule = await bed.rule({ channels: [bed.channel().id], renotify_minutes: 30 });
  const [alert, taken, ended] = [
    await bed.alert(rule, {}, true),
    await bed.alert(rule, {}, true),
    await bed.alert(rule, {}, true),
  ];
  await bed.tell('fired', alert, taken, ended);
  await bed.tell('resolved', ended);
  await bed.store.sql`update alerts set acknowledged_at = now() where id = ${taken.id}`;
  const others = [bed.another(), bed.another()];
  for (const notifier of [bed.notifier, ...others]) notifier.start();
  const reminded = async () =>
    (await bed.store.sql`select event ->> 'subject' as id from outbox`).map(({ id }) => id);
  bed.now += 29 * 60_000;
  await expect.poll(() => bed.sent.length).toBe(4);
  expect(await reminded()).toEqual([]);
  for (const round of [1, 2]) {
    bed.now += 30 * 60_000;
    await expect.poll(reminded).toEqual(Array.from({ length: round }, () => alert.id));
  }
  await Promise.all(others.map((notifier) => notifier.stop()));
});

test('an event from more than a day ago is not told any more', async () => {
  const rule = await bed.rule({ channels: [bed.channel().id] });
  const event = bed.event('fired', await bed.alert(rule));
  bed.now += 24 * 3_600_000 + 1;
  await bed.publish([event]);
  expect(await outcomes()).toEqual(['too_old']);
});

test('what is no event that anybody is told of is passed over, and one that is broken is set aside', async () => {
  const rule = await bed.rule({ channels: [bed.channel().id] });
  const good = bed.event('fired', await bed.alert(rule));
  const values = [null, { type: 'rule.painted' }, { type: 'alert.fired', id: 'x' }, good];
  const deliveries = values.map((value, i) => ({
    ...{ topic: 't', partition: 0, offset: BigInt(i), key: '', value, publishedAt: bed.now },
  }));
  const verdicts = await bed.store.transact((tx) => bed.notifier.consumer.handle(deliveries, tx));
  expect(verdicts.map(({ kind }) => kind)).toEqual(['done', 'done', 'deadLetter', 'done']);
  expect(await outcomes()).toEqual(['queued']);
});
