import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { beforeEach, describe, expect, test } from 'vitest';
import { type NotifierHarness, refused, rejected } from '../testing/notifier.harness.ts';
import { type AlertsUnderTest, openAlerts } from './alerts.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  ({ harness, alerts } = await openAlerts());
});

describe('notices of a host that is offline:', () => {
  /** Creates a host with an alert that it is offline, for some channels, and a rule of another metric, for others. */
  async function offlineHost(offlineOn: string[], othersOn: string[]) {
    const service_id = newId('svc');
    const metric = 'host.silent_minutes';
    const offlineRule = await harness.rule({ metric, channels: offlineOn });
    const rule = await harness.rule({ channels: othersOn });
    return {
      rule,
      offline: await harness.alert(offlineRule, { service_id, metric }, true),
      next: () => harness.alert(rule, { service_id }, true),
      fire: () => alerts.fireOf(rule, { service_id }),
    };
  }

  test('other alerts of an offline host are withheld on channels that are notified of the offline alert, and on no others', async () => {
    const [notified, other] = [harness.channel(), harness.channel()];
    const { offline, next } = await offlineHost([notified.id], [notified.id, other.id]);
    const alert = await next();
    await harness.emit('fired', offline, alert);
    await harness.sentSoon(2);
    expect(harness.sent.map(({ to }) => to).sort()).toEqual([notified.id, other.id].sort());
    expect((await harness.outcomes(alert)).sort()).toEqual(['fired delivered', 'fired host_offline']);
    await alerts.resolve(offline);
    await harness.sentSoon(4);
    expect(harness.sent.filter(({ to }) => to === other.id)).toHaveLength(1);
    expect(
      harness.sent
        .filter(({ to }) => to === notified.id)
        .map(({ transition }) => transition)
        .sort(),
    ).toEqual([...['fired', 'fired', 'resolved']]);
  });

  test('an offline alert withholds alerts that come before it in the same batch', async () => {
    const channel = harness.channel();
    const { offline, next } = await offlineHost([channel.id], [channel.id]);
    const alert = await next();
    await harness.emit('fired', alert, offline);
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired host_offline']);
  });

  test.each<[string, (channel: string) => Promise<string[]> | string[]]>([
    ['whose rule has no channels', () => []],
    ['whose rule names another channel', () => [harness.channel().id]],
    ['whose rule names a kind without a channel', () => ['pagerduty']],
    ['whose channel is disabled', () => [harness.channel({ state: 'disabled' }).id]],
  ])('an offline alert %s withholds no other alerts', async (_, choose) => {
    const channel = harness.channel();
    const { offline, next } = await offlineHost(await choose(channel.id), [channel.id]);
    const alert = await next();
    await harness.emit('fired', offline, alert);
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('an offline alert that the channel did not subscribe to withholds no other alerts', async () => {
    const channel = harness.channel({ events: ['alert.escalated', 'alert.resolved'] });
    const { offline, next, rule } = await offlineHost([channel.id], [channel.id]);
    await harness.emit('fired', offline);
    const alert = await next();
    await harness.emit('escalated', alert);
    await harness.sentSoon(1);
    expect(rule.id).toBe(alert.rule_id);
    expect(await harness.outcomes(alert)).toEqual(['escalated delivered']);
  });

  test('a silenced offline alert withholds no other alerts', async () => {
    const channel = harness.channel();
    const { offline, fire } = await offlineHost([channel.id], [channel.id]);
    await harness.silence({ rule_ids: [offline.rule_id] });
    await harness.emit('fired', offline);
    const alert = await fire();
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('an offline alert that could not be delivered withholds no other alerts, and those withheld before are sent', async () => {
    const channel = harness.channel();
    let answer = refused();
    harness.answers.set(channel.id, ({ hosts }) =>
      hosts[0] === 'offline' ? answer : { status: 'delivered', reference: null },
    );
    const { offline, fire } = await offlineHost([channel.id], [channel.id]);
    await alerts.update(offline, { host: 'offline' });
    await harness.emit('fired', { ...offline, host: 'offline' });
    const before = await fire();
    await harness.quiet();
    expect(await harness.outcomes(before)).toEqual(['fired host_offline']);
    answer = rejected;
    harness.now += MINUTE_MS;
    await expect.poll(() => harness.outcomes(offline)).toEqual(['fired failed']);
    await expect
      .poll(async () => harness.relay().then(() => harness.outcomes(before)))
      .toEqual([...['fired host_offline', 'fired delivered']]);
    const after = await fire();
    await expect.poll(() => harness.outcomes(after)).toEqual(['fired delivered']);
  });
});
