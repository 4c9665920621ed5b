import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotifierBed } from '../testing/notifier.harness.ts';

let bed: NotifierBed;
beforeEach(async () => {
  bed = await NotifierBed.open();
});
afterEach(() => bed?.close());

const outcomes = async () => (await bed.notifications()).map(({ status, reason }) => reason ?? status);

test.each([
  ['backfilled', { backfilled: true }],
  ['shadow', { shadow: true }],
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
    (
      await bed.store
        .sql`select event ->> 'subject' as id from outbox where event ->> 'type' = 'alert.renotified'`
    ).map(({ id }) => id);
  bed.now += 29 * 60_000;
  await expect.poll(() => bed.sent.length).toBe(4);
  expect(await reminded()).toEqual([]);
  for (const round of [1, 2]) {
    bed.now += 30 * 60_000;
    await expect.poll(reminded).toEqual(Array.from({ length: round }, () => alert.id));
  }
  await Promise.all(others.map((notifier) => notifier.stop()));
});

test('an event from more than a day ago is not told any more where the alert has ended', async () => {
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
