import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { NotifierBed } from '../testing/notifier.harness.ts';

let bed: NotifierBed;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  bed = await NotifierBed.open();
  alerts = new AlertsUnderTest(bed);
  bed.notifier.start();
});
afterEach(() => bed?.close());

const MINUTE = 60_000;

describe('an alert that began with an old sample', () => {
  test('is notified as firing once a fresh sample has confirmed it, and its end is then notified', async () => {
    const { alert } = await alerts.make({ backfilled: true });
    await bed.tell('fired', alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual(['fired backfilled']);
    await alerts.confirm(alert);
    expect(await bed.sentSoon(1)).toMatchObject([{ transition: 'fired' }]);
    await alerts.resolve(alert);
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['fired', 'resolved']);
  });

  test('is notified of nothing when it ends unconfirmed', async () => {
    const { alert } = await alerts.make({ backfilled: true });
    await bed.tell('fired', alert);
    await alerts.resolve(alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual(['fired backfilled', 'resolved firing_not_told']);
    expect(await bed.store.sql`select from alert_tellings`).toHaveLength(0);
  });

  test('is notified at once where it was confirmed before its event is planned', async () => {
    const { alert } = await alerts.make({ backfilled: true });
    await alerts.confirm(alert);
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    expect(await bed.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('that gets worse by a fresh sample is notified once, as worse', async () => {
    const { alert } = await alerts.make({ backfilled: true, severity: 'warning' });
    await bed.tell('fired', alert);
    // Judging stores both in one transaction, with the event.
    const worse = { confirmed_at: new Date(bed.now), severity: 'critical' };
    await bed.tell('escalated', await alerts.update(alert, worse));
    await bed.sentSoon(1);
    expect(bed.transitions()).toEqual(['escalated']);
  });

  test('that gets worse by old samples stays withheld', async () => {
    const { alert } = await alerts.make({ backfilled: true, severity: 'warning' });
    await bed.tell('fired', alert);
    await alerts.escalate(alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual(['fired backfilled', 'escalated backfilled']);
    await alerts.confirm(alert);
    await bed.sentSoon(1);
    expect(bed.transitions()).toEqual(['fired']);
  });

  test('and is confirmed under a silence says so, and is notified when that ends', async () => {
    const { alert } = await alerts.make({ backfilled: true });
    await bed.tell('fired', alert);
    const silence = await bed.silence({ hosts: [alert.host] });
    await alerts.confirm(alert);
    await expect.poll(() => bed.outcomes(alert)).toEqual(['fired silenced']);
    await bed.endSilence(silence);
    await bed.sentSoon(1);
    expect(bed.transitions()).toEqual(['silence_ended']);
  });

  test('and is confirmed while its stream flaps says so, and is notified when that is calm', async () => {
    const { alert, rule } = await alerts.make({ backfilled: true });
    const { service_id } = alert;
    await bed.tell('fired', alert);
    await bed.tell('flapping', await bed.alert(rule, { service_id }));
    await bed.sentSoon(1);
    await alerts.confirm(alert);
    await expect.poll(() => bed.outcomes(alert)).toEqual(['fired flapping']);
    bed.now += 60 * MINUTE;
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['flapping', 'fired']);
  });

  test('and is confirmed while its host is offline says so, and is notified when the host is back', async () => {
    const { alert, channel } = await alerts.make({ backfilled: true });
    const { service_id } = alert;
    await bed.tell('fired', alert);
    const offlineRule = await bed.rule({ metric: 'host.silent_minutes', channels: [channel.id] });
    const offline = await bed.alert(offlineRule, { service_id, metric: 'host.silent_minutes' }, true);
    await bed.tell('fired', offline);
    await bed.sentSoon(1);
    await alerts.confirm(alert);
    await expect.poll(() => bed.outcomes(alert)).toEqual(['fired host_offline']);
    await alerts.resolve(offline);
    await bed.sentSoon(3);
    expect(bed.transitions()).toEqual(expect.arrayContaining(['fired', 'resolved', 'fired']));
  });

  test('of a rule without channels is an event once it is confirmed, and no notification', async () => {
    const alert = await bed.alert(await bed.rule({ channels: [] }), { backfilled: true }, true);
    await bed.tell('fired', alert);
    await alerts.confirm(alert);
    await expect.poll(() => bed.relay()).toEqual(['alert.fired']);
    await bed.quiet();
    expect(await bed.store.sql`select from outbox`).toHaveLength(1);
    expect(await bed.outcomes(alert)).toEqual([]);
  });
});

test('an alert whose events are lost is notified all the same', async () => {
  const { alert } = await alerts.make();
  await bed.store.sql`update alerts set created_at = ${bed.now}::timestamptz`;
  await bed.quiet();
  expect(bed.sent).toEqual([]);
  bed.now += 3 * MINUTE;
  await bed.sentSoon(1);
  expect(await bed.outcomes(alert)).toEqual(['fired delivered']);
});

test('an event that makes a notice good and is lost is made again', async () => {
  const { alert } = await alerts.make({ backfilled: true });
  await bed.tell('fired', alert);
  await alerts.confirm(alert);
  const waits = () => bed.store.sql`select from alert_tellings where made_good_by is not null`;
  await expect.poll(waits).toHaveLength(1);
  await bed.store.sql`delete from outbox`;
  bed.now += 11 * MINUTE;
  await bed.sentSoon(1);
  expect(await bed.outcomes(alert)).toEqual(['fired backfilled', 'fired delivered']);
});

test('an alert that ends while its notice is being made good is not notified any more', async () => {
  const { alert } = await alerts.make({ backfilled: true });
  await bed.tell('fired', alert);
  await alerts.confirm(alert);
  const waits = () => bed.store.sql`select from alert_tellings where made_good_by is not null`;
  await expect.poll(waits).toHaveLength(1);
  await alerts.resolve(alert);
  await bed.quiet();
  expect(await bed.outcomes(alert)).toEqual(['fired backfilled', 'resolved firing_not_told']);
  expect(bed.sent).toEqual([]);
  expect(await bed.store.sql`select from alert_tellings`).toHaveLength(0);
});

test('an alert that is active still is notified however long the notifier was away', async () => {
  const { alert } = await alerts.make();
  const event = bed.event('fired', alert);
  bed.now += 25 * 60 * MINUTE;
  await bed.publish([event]);
  await bed.sentSoon(1);
});

test('somebody who has acknowledged an alert is not reminded, and is notified of what was withheld', async () => {
  const { alert } = await alerts.make({}, { renotify_minutes: 1 });
  const silence = await bed.silence({ hosts: [alert.host] });
  await bed.tell('fired', alert);
  await alerts.update(alert, { acknowledged_at: new Date(bed.now) });
  await bed.endSilence(silence);
  await bed.sentSoon(1);
  bed.now += 10 * MINUTE;
  await bed.quiet();
  expect(bed.transitions()).toEqual(['silence_ended']);
});

test('an alert of a shadow rule is never notified, whatever passes', async () => {
  const { alert, rule } = await alerts.make({ shadow: true, backfilled: true });
  await bed.tell('fired', alert);
  await alerts.confirm(alert);
  await bed.publish([
    {
      ...{ specversion: '1.0', id: newId('evt'), source: '/tidewatch/org_00000000000070008000000000000001' },
      ...{ type: 'rule.updated', subject: rule.id, time: new Date(bed.now).toISOString() },
      data: { rule: { id: rule.id } },
    },
  ]);
  await bed.quiet();
  expect(await bed.outcomes(alert)).toEqual(['fired shadow']);
});
