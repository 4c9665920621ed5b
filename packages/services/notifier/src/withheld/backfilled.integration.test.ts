import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NotifierHarness } from '../testing/notifier.harness.ts';
import { type AlertsUnderTest, openAlerts } from './alerts.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  ({ harness, alerts } = await openAlerts());
});

describe('notices of backfilled alerts:', () => {
  test('a backfilled alert is notified once a fresh sample confirms it, and then its resolution', async () => {
    const { alert } = await alerts.fire({ backfilled: true });
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired backfilled']);
    await alerts.confirm(alert);
    expect(await harness.sentSoon(1)).toMatchObject([{ transition: 'fired' }]);
    await alerts.resolve(alert);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['fired', 'resolved']);
  });

  test('a backfilled alert that ends unconfirmed notifies no channel', async () => {
    const { alert } = await alerts.fire({ backfilled: true });
    await alerts.resolve(alert);
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired backfilled', 'resolved firing_not_notified']);
    expect(await harness.store.sql`select from alert_notices`).toHaveLength(0);
  });

  test('a backfilled alert that was confirmed before planning is notified at once', async () => {
    const { alert } = await alerts.make({ backfilled: true });
    await alerts.confirm(alert);
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('a backfilled alert that a fresh sample escalates is notified once, as escalated', async () => {
    const { alert } = await alerts.fire({ backfilled: true, severity: 'warning' });
    // The evaluator stores both changes in one transaction, with the event.
    const worse = { confirmed_at: new Date(harness.now), severity: 'critical' };
    await harness.emit('escalated', await alerts.update(alert, worse));
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['escalated']);
  });

  test('a backfilled alert that old samples escalate stays withheld', async () => {
    const { alert } = await alerts.fire({ backfilled: true, severity: 'warning' });
    await alerts.escalate(alert);
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired backfilled', 'escalated backfilled']);
    await alerts.confirm(alert);
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['fired']);
  });

  test('a backfilled alert confirmed under a silence becomes silenced, and is notified when the silence ends', async () => {
    const { alert } = await alerts.fire({ backfilled: true });
    const silence = await harness.silence({ hosts: [alert.host] });
    await alerts.confirm(alert);
    await expect.poll(() => harness.outcomes(alert)).toEqual(['fired silenced']);
    await harness.endSilence(silence);
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['silence_ended']);
  });

  test('a backfilled alert confirmed while its stream flaps is notified when the stream is calm', async () => {
    const { alert, rule } = await alerts.make({ backfilled: true });
    const { service_id } = alert;
    await harness.emit('fired', alert);
    await harness.emit('flapping', await harness.alert(rule, { service_id }));
    await harness.sentSoon(1);
    await alerts.confirm(alert);
    await expect.poll(() => harness.outcomes(alert)).toEqual(['fired flapping']);
    harness.now += 60 * MINUTE_MS;
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['flapping', 'fired']);
  });

  test('a backfilled alert confirmed while its host is offline is notified when the host is back', async () => {
    const { alert, channel } = await alerts.make({ backfilled: true });
    const { service_id } = alert;
    await harness.emit('fired', alert);
    const offlineRule = await harness.rule({ metric: 'host.silent_minutes', channels: [channel.id] });
    const offline = await harness.alert(offlineRule, { service_id, metric: 'host.silent_minutes' }, true);
    await harness.emit('fired', offline);
    await harness.sentSoon(1);
    await alerts.confirm(alert);
    await expect.poll(() => harness.outcomes(alert)).toEqual(['fired host_offline']);
    await alerts.resolve(offline);
    await harness.sentSoon(3);
    expect(harness.transitions()).toEqual(expect.arrayContaining(['fired', 'resolved', 'fired']));
  });

  test('a confirmed backfilled alert of a rule without channels emits an event and no notification', async () => {
    const alert = await alerts.fireOf(await harness.rule({ channels: [] }), { backfilled: true });
    await alerts.confirm(alert);
    await expect.poll(() => harness.relay()).toEqual(['alert.fired']);
    await harness.quiet();
    expect(await harness.store.sql`select from outbox`).toHaveLength(1);
    expect(await harness.outcomes(alert)).toEqual([]);
  });
});

test('an active alert whose events were lost is notified by upkeep', async () => {
  const { alert } = await alerts.make();
  await harness.store.sql`update alerts set created_at = ${harness.now}::timestamptz`;
  await harness.quiet();
  expect(harness.sent).toEqual([]);
  harness.now += 3 * MINUTE_MS;
  await harness.sentSoon(1);
  expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
});

test('a follow-up event that was lost is emitted again', async () => {
  const { alert } = await alerts.fire({ backfilled: true });
  await alerts.confirm(alert);
  const waits = () => harness.store.sql`select from alert_notices where made_good_by is not null`;
  await expect.poll(waits).toHaveLength(1);
  await harness.store.sql`delete from outbox`;
  harness.now += 11 * MINUTE_MS;
  await harness.sentSoon(1);
  expect(await harness.outcomes(alert)).toEqual(['fired backfilled', 'fired delivered']);
});

test('an alert that ends before its follow-up event is planned is not notified', async () => {
  const { alert } = await alerts.fire({ backfilled: true });
  await alerts.confirm(alert);
  const waits = () => harness.store.sql`select from alert_notices where made_good_by is not null`;
  await expect.poll(waits).toHaveLength(1);
  await alerts.resolve(alert);
  await harness.quiet();
  expect(await harness.outcomes(alert)).toEqual(['fired backfilled', 'resolved firing_not_notified']);
  expect(harness.sent).toEqual([]);
  expect(await harness.store.sql`select from alert_notices`).toHaveLength(0);
});

test('an active alert is notified after any downtime of the notifier', async () => {
  const { alert } = await alerts.make();
  const event = harness.event('fired', alert);
  harness.now += 25 * 60 * MINUTE_MS;
  await harness.publish([event]);
  await harness.sentSoon(1);
});

test('an acknowledged alert sends no reminder but is notified on channels where it was withheld', async () => {
  const { alert } = await alerts.make({}, { renotify_minutes: 1 });
  const silence = await harness.silence({ hosts: [alert.host] });
  await harness.emit('fired', alert);
  await alerts.update(alert, { acknowledged_at: new Date(harness.now) });
  await harness.endSilence(silence);
  await harness.sentSoon(1);
  harness.now += 10 * MINUTE_MS;
  await harness.quiet();
  expect(harness.transitions()).toEqual(['silence_ended']);
});

test('an alert of a shadow rule is never notified, even after it is confirmed', async () => {
  const { alert, rule } = await alerts.fire({ shadow: true, backfilled: true });
  await alerts.confirm(alert);
  await harness.announce('rule.updated', { id: rule.id });
  await harness.quiet();
  expect(await harness.outcomes(alert)).toEqual(['fired shadow']);
});
