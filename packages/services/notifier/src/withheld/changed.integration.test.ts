import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { NotifierBed, rejected } from '../testing/notifier.harness.ts';

let bed: NotifierBed;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  bed = await NotifierBed.open();
  alerts = new AlertsUnderTest(bed);
  bed.notifier.start();
});
afterEach(() => bed?.close());

const MINUTE = 60_000;

describe('after a change', () => {
  const changed = (type: string, data: object) => ({
    ...{ specversion: '1.0', id: newId('evt'), source: '/tidewatch/org_00000000000070008000000000000001' },
    ...{ type, subject: 'x', time: new Date(bed.now).toISOString(), data },
  });

  test('a channel that a rule gains is notified of what is active, the others are not notified again', async () => {
    const { rule, alert, channel } = await alerts.make();
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    const added = bed.channel();
    await bed.store.sql`
      update alert_rules set definition = definition || ${bed.store.sql.json({ channels: [channel.id, added.id] })}`;
    await bed.publish([changed('rule.updated', { rule: { id: rule.id } })]);
    await bed.sentSoon(2);
    expect(bed.sent.map(({ to }) => to)).toEqual([channel.id, added.id]);
    await alerts.resolve(alert);
    await bed.sentSoon(4);
  });

  test('a rule that had no channels notifies the first that it gets', async () => {
    const rule = await bed.rule({ channels: [] });
    const alert = await bed.alert(rule, {}, true);
    await bed.tell('fired', alert);
    const added = bed.channel();
    await bed.store.sql`
      update alert_rules set definition = definition || ${bed.store.sql.json({ channels: [added.id] })}`;
    await bed.publish([changed('rule.updated', { rule: { id: rule.id } })]);
    await bed.sentSoon(1);
    expect(bed.transitions()).toEqual(['fired']);
  });

  test('of a rule while a silence matches, the channel is notified when that ends', async () => {
    const rule = await bed.rule({ channels: [] });
    const alert = await bed.alert(rule, {}, true);
    await bed.tell('fired', alert);
    const silence = await bed.silence({ hosts: [alert.host] });
    const added = bed.channel();
    await bed.store.sql`
      update alert_rules set definition = definition || ${bed.store.sql.json({ channels: [added.id] })}`;
    await bed.publish([changed('rule.updated', { rule: { id: rule.id } })]);
    await bed.quiet();
    expect(bed.sent).toEqual([]);
    await bed.endSilence(silence);
    await bed.sentSoon(1);
  });

  test.each<[string, object]>([
    ['enabled again', { state: 'disabled' }],
    ['made to ask for firings', { events: ['alert.resolved'] }],
  ])('a channel that is %s is notified of what is active', async (_, before) => {
    const channel = bed.channel(before);
    const rule = await bed.rule({ channels: [channel.id] });
    const alert = await bed.alert(rule, {}, true);
    await bed.tell('fired', alert);
    await bed.quiet();
    expect(bed.sent).toEqual([]);
    Object.assign(channel, { state: 'enabled', events: null });
    await bed.publish([changed('channel.updated', { channel: { id: channel.id, kind: 'webhook' } })]);
    await bed.sentSoon(1);
    expect(bed.transitions()).toEqual(['fired']);
  });

  test('a kind that gets its first channel is notified there', async () => {
    const alert = await bed.alert(await bed.rule({ channels: ['slack'] }), {}, true);
    await bed.tell('fired', alert);
    const channel = bed.channel({ kind: 'slack', isDefault: true });
    await bed.publish([changed('channel.created', { channel: { id: channel.id, kind: 'slack' } })]);
    await bed.sentSoon(1);
    expect(await bed.outcomes(alert)).toEqual(['fired no_default', 'fired delivered']);
  });

  test('a rule that names the default channels notifies the first one that there is', async () => {
    const alert = await bed.alert(await bed.rule({ channels: ['default'] }), {}, true);
    await bed.tell('fired', alert);
    expect(await bed.outcomes(alert)).toEqual([]);
    const channel = bed.channel({ kind: 'slack', isDefault: true });
    await bed.publish([changed('channel.created', { channel: { id: channel.id, kind: 'slack' } })]);
    await bed.sentSoon(1);
    expect(await bed.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('a destination that refused a notice gets it again once its channel is changed, and not before', async () => {
    const { alert, channel } = await alerts.make();
    bed.answers.set(channel.id, () => rejected);
    await bed.tell('fired', alert);
    await expect.poll(() => bed.outcomes(alert)).toEqual(['fired failed']);
    await bed.publish([changed('rule.updated', { rule: { id: alert.rule_id } })]);
    await bed.quiet();
    expect(bed.sent).toHaveLength(1);
    bed.answers.delete(channel.id);
    bed.now += MINUTE;
    channel.changedAt = bed.now;
    await bed.publish([changed('channel.updated', { channel: { id: channel.id, kind: 'webhook' } })]);
    await bed.sentSoon(2);
    expect(await bed.outcomes(alert)).toEqual(['fired failed', 'fired delivered']);
  });
});
