import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { beforeEach, describe, expect, test } from 'vitest';
import { type NotifierHarness, rejected } from '../testing/notifier.harness.ts';
import { type AlertsUnderTest, openAlerts } from './alerts.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  ({ harness, alerts } = await openAlerts());
});

describe('notices after a change:', () => {
  test('a channel added to a rule is notified of active alerts, and its other channels are not notified again', async () => {
    const { rule, alert, channel } = await alerts.fire();
    await harness.sentSoon(1);
    const added = harness.channel();
    await alerts.setChannels(rule, [channel.id, added.id]);
    await harness.sentSoon(2);
    expect(harness.sent.map(({ to }) => to)).toEqual([channel.id, added.id]);
    await alerts.resolve(alert);
    await harness.sentSoon(4);
  });

  test('the first channel of a rule is notified of its active alerts', async () => {
    const rule = await harness.rule({ channels: [] });
    await alerts.fireOf(rule);
    const added = harness.channel();
    await alerts.setChannels(rule, [added.id]);
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['fired']);
  });

  test('a channel added under a silence is notified when the silence ends', async () => {
    const rule = await harness.rule({ channels: [] });
    const alert = await alerts.fireOf(rule);
    const silence = await harness.silence({ hosts: [alert.host] });
    const added = harness.channel();
    await alerts.setChannels(rule, [added.id]);
    await harness.quiet();
    expect(harness.sent).toEqual([]);
    await harness.endSilence(silence);
    await harness.sentSoon(1);
  });

  test.each<[string, object]>([
    ['enabled again', { state: 'disabled' }],
    ['subscribed to firings', { events: ['alert.resolved'] }],
  ])('a channel that is %s is notified of active alerts', async (_, before) => {
    const channel = harness.channel(before);
    const rule = await harness.rule({ channels: [channel.id] });
    await alerts.fireOf(rule);
    await harness.quiet();
    expect(harness.sent).toEqual([]);
    Object.assign(channel, { state: 'enabled', events: null });
    await harness.announce('channel.updated', { id: channel.id, kind: 'webhook' });
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['fired']);
  });

  test('the first channel of a kind is notified of active alerts of rules that name the kind', async () => {
    const alert = await alerts.fireOf(await harness.rule({ channels: ['slack'] }));
    const channel = harness.channel({ kind: 'slack', isDefault: true });
    await harness.announce('channel.created', { id: channel.id, kind: 'slack' });
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired no_default', 'fired delivered']);
  });

  test('the first default channel is notified of active alerts of rules that name no channel', async () => {
    const alert = await alerts.fireOf(await harness.rule({ channels: ['default'] }));
    expect(await harness.outcomes(alert)).toEqual([]);
    const channel = harness.channel({ kind: 'slack', isDefault: true });
    await harness.announce('channel.created', { id: channel.id, kind: 'slack' });
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('a refused notice is sent again once its channel is changed, and not before', async () => {
    const { alert, channel } = await alerts.make();
    harness.answers.set(channel.id, () => rejected);
    await harness.emit('fired', alert);
    await expect.poll(() => harness.outcomes(alert)).toEqual(['fired failed']);
    await harness.announce('rule.updated', { id: alert.rule_id });
    await harness.quiet();
    expect(harness.sent).toHaveLength(1);
    harness.answers.delete(channel.id);
    harness.now += MINUTE_MS;
    channel.changedAt = harness.now;
    await harness.announce('channel.updated', { id: channel.id, kind: 'webhook' });
    await harness.sentSoon(2);
    expect(await harness.outcomes(alert)).toEqual(['fired failed', 'fired delivered']);
  });
});
