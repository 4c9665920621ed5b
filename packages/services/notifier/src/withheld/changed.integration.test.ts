import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { NotifierHarness, rejected } from '../testing/notifier.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  harness = await NotifierHarness.open();
  alerts = new AlertsUnderTest(harness);
  harness.notifier.start();
});
afterEach(() => harness?.close());

const MINUTE = 60_000;

describe('after a change', () => {
  const changed = (type: string, data: object) => ({
    specversion: '1.0',
    id: newId('evt'),
    source: '/tidewatch/org_00000000000070008000000000000001',
    type,
    subject: 'x',
    time: new Date(harness.now).toISOString(),
    data,
  });

  test('a channel that a rule gains is notified of what is active, the others are not notified again', async () => {
    const { rule, alert, channel } = await alerts.make();
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    const added = harness.channel();
    await harness.store.sql`
      update alert_rules set definition = definition || ${harness.store.sql.json({ channels: [channel.id, added.id] })}`;
    await harness.publish([changed('rule.updated', { rule: { id: rule.id } })]);
    await harness.sentSoon(2);
    expect(harness.sent.map(({ to }) => to)).toEqual([channel.id, added.id]);
    await alerts.resolve(alert);
    await harness.sentSoon(4);
  });

  test('a rule that had no channels notifies the first that it gets', async () => {
    const rule = await harness.rule({ channels: [] });
    const alert = await harness.alert(rule, {}, true);
    await harness.emit('fired', alert);
    const added = harness.channel();
    await harness.store.sql`
      update alert_rules set definition = definition || ${harness.store.sql.json({ channels: [added.id] })}`;
    await harness.publish([changed('rule.updated', { rule: { id: rule.id } })]);
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['fired']);
  });

  test('of a rule while a silence matches, the channel is notified when that ends', async () => {
    const rule = await harness.rule({ channels: [] });
    const alert = await harness.alert(rule, {}, true);
    await harness.emit('fired', alert);
    const silence = await harness.silence({ hosts: [alert.host] });
    const added = harness.channel();
    await harness.store.sql`
      update alert_rules set definition = definition || ${harness.store.sql.json({ channels: [added.id] })}`;
    await harness.publish([changed('rule.updated', { rule: { id: rule.id } })]);
    await harness.quiet();
    expect(harness.sent).toEqual([]);
    await harness.endSilence(silence);
    await harness.sentSoon(1);
  });

  test.each<[string, object]>([
    ['enabled again', { state: 'disabled' }],
    ['made to ask for firings', { events: ['alert.resolved'] }],
  ])('a channel that is %s is notified of what is active', async (_, before) => {
    const channel = harness.channel(before);
    const rule = await harness.rule({ channels: [channel.id] });
    const alert = await harness.alert(rule, {}, true);
    await harness.emit('fired', alert);
    await harness.quiet();
    expect(harness.sent).toEqual([]);
    Object.assign(channel, { state: 'enabled', events: null });
    await harness.publish([changed('channel.updated', { channel: { id: channel.id, kind: 'webhook' } })]);
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['fired']);
  });

  test('a kind that gets its first channel is notified there', async () => {
    const alert = await harness.alert(await harness.rule({ channels: ['slack'] }), {}, true);
    await harness.emit('fired', alert);
    const channel = harness.channel({ kind: 'slack', isDefault: true });
    await harness.publish([changed('channel.created', { channel: { id: channel.id, kind: 'slack' } })]);
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired no_default', 'fired delivered']);
  });

  test('a rule that names the default channels notifies the first one that there is', async () => {
    const alert = await harness.alert(await harness.rule({ channels: ['default'] }), {}, true);
    await harness.emit('fired', alert);
    expect(await harness.outcomes(alert)).toEqual([]);
    const channel = harness.channel({ kind: 'slack', isDefault: true });
    await harness.publish([changed('channel.created', { channel: { id: channel.id, kind: 'slack' } })]);
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('a destination that refused a notice gets it again once its channel is changed, and not before', async () => {
    const { alert, channel } = await alerts.make();
    harness.answers.set(channel.id, () => rejected);
    await harness.emit('fired', alert);
    await expect.poll(() => harness.outcomes(alert)).toEqual(['fired failed']);
    await harness.publish([changed('rule.updated', { rule: { id: alert.rule_id } })]);
    await harness.quiet();
    expect(harness.sent).toHaveLength(1);
    harness.answers.delete(channel.id);
    harness.now += MINUTE;
    channel.changedAt = harness.now;
    await harness.publish([changed('channel.updated', { channel: { id: channel.id, kind: 'webhook' } })]);
    await harness.sentSoon(2);
    expect(await harness.outcomes(alert)).toEqual(['fired failed', 'fired delivered']);
  });
});
