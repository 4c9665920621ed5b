import { newId } from '@tidewatch/contracts/values/id';
import { openForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, test } from 'vitest';
import { NotifierHarness } from '../testing/notifier.harness.ts';

let harness: NotifierHarness;
beforeEach(async () => {
  harness = await openForTest(NotifierHarness.open());
});

const outcomes = async () => (await harness.notifications()).map(({ status, reason }) => reason ?? status);

test.each([
  ['backfilled', { backfilled: true }],
  ['shadow', { shadow: true }],
])('an alert that is %s notifies no channel and records the reason', async (reason, fields) => {
  const rule = await harness.rule({ channels: [harness.channel().id, harness.channel().id] });
  const alert = await harness.alert(rule, fields);
  await harness.emit('fired', alert);
  expect(await outcomes()).toEqual([reason, reason]);
  await harness.emit('resolved', alert);
  expect(await outcomes()).toEqual([reason, reason, 'firing_not_notified', 'firing_not_notified']);
});

test('an event that is consumed twice creates one notification', async () => {
  const rule = await harness.rule({ channels: [harness.channel().id] });
  const event = harness.event('fired', await harness.alert(rule));
  await harness.publish([event, event]);
  await harness.publish([event]);
  expect(await outcomes()).toEqual(['queued']);
});

test('a rule notifies each of its channels once, a kind by its default channel, and records those that cannot be notified', async () => {
  const slack = harness.channel({ kind: 'slack', isDefault: true });
  const off = harness.channel({ state: 'disabled' });
  const deleted = harness.channel({ state: 'deleted' });
  const picky = harness.channel({ events: ['alert.resolved'] });
  const rule = await harness.rule({
    channels: ['slack', slack.id, 'pagerduty', off.id, deleted.id, picky.id],
  });
  await harness.emit('fired', await harness.alert(rule));
  const found = (await harness.notifications()).map(({ channel, reason, status }) => [
    channel,
    status,
    reason,
  ]);
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

test('after a notice of flapping a stream sends no notices until it has been calm for an hour', async () => {
  const rule = await harness.rule({ channels: [harness.channel().id] });
  const service_id = newId('svc');
  const next = () => harness.alert(rule, { service_id }, true);
  const minutes = (n: number) => {
    harness.now += n * 60_000;
  };
  const first = await next();
  await harness.emit('fired', first);
  await harness.emit('flapping', first);
  await harness.emit('resolved', first);
  minutes(50);
  const second = await next();
  await harness.emit('fired', second);
  await harness.emit('flapping', second);
  await harness.emit('resolved', second);
  minutes(50);
  const other = await harness.alert(rule);
  await harness.emit('fired', other);
  minutes(11);
  const third = await next();
  await harness.emit('fired', third);
  expect(await outcomes()).toEqual([
    ...['queued', 'queued', 'queued'],
    ...['flapping', 'flapping', 'firing_not_notified'],
    ...['queued', 'queued'],
  ]);
});

test('a reminder is sent in the interval of the rule until the alert is acknowledged or resolved', async () => {
  const rule = await harness.rule({ channels: [harness.channel().id], renotify_minutes: 30 });
  const [alert, taken, ended] = [
    await harness.alert(rule, {}, true),
    await harness.alert(rule, {}, true),
    await harness.alert(rule, {}, true),
  ];
  await harness.emit('fired', alert, taken, ended);
  await harness.emit('resolved', ended);
  await harness.store.sql`update alerts set acknowledged_at = now() where id = ${taken.id}`;
  const others = [harness.another(), harness.another()];
  for (const notifier of [harness.notifier, ...others]) notifier.start();
  const reminded = async () =>
    (
      await harness.store
        .sql`select event ->> 'subject' as id from outbox where event ->> 'type' = 'alert.renotified'`
    ).map(({ id }) => id);
  harness.now += 29 * 60_000;
  await expect.poll(() => harness.sent.length).toBe(4);
  expect(await reminded()).toEqual([]);
  for (const round of [1, 2]) {
    harness.now += 30 * 60_000;
    await expect.poll(reminded).toEqual(Array.from({ length: round }, () => alert.id));
  }
  await Promise.all(others.map((notifier) => notifier.stop()));
});

test('an event older than a day of an ended alert is recorded as too old and not sent', async () => {
  const rule = await harness.rule({ channels: [harness.channel().id] });
  const event = harness.event('fired', await harness.alert(rule));
  harness.now += 24 * 3_600_000 + 1;
  await harness.publish([event]);
  expect(await outcomes()).toEqual(['too_old']);
});

test('an event of another type is ignored, and an invalid one becomes a dead letter', async () => {
  const rule = await harness.rule({ channels: [harness.channel().id] });
  const good = harness.event('fired', await harness.alert(rule));
  const values = [null, { type: 'rule.painted' }, { type: 'alert.fired', id: 'x' }, good];
  const verdicts = await harness.publish(values);
  expect(verdicts.map(({ kind }) => kind)).toEqual(['done', 'done', 'deadLetter', 'done']);
  expect(await outcomes()).toEqual(['queued']);
});
