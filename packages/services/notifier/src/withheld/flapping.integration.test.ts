import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { delivered, NotifierHarness, refused, rejected } from '../testing/notifier.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  harness = await NotifierHarness.open();
  alerts = new AlertsUnderTest(harness);
  harness.notifier.start();
});
afterEach(() => harness?.close());

const MINUTE = 60_000;

describe('while a stream flaps', () => {
  const flapping = async (severity: 'warning' | 'critical') => {
    const channel = harness.channel();
    const rule = await harness.rule({ channels: [channel.id] });
    const service_id = newId('svc');
    await harness.emit('flapping', await harness.alert(rule, { service_id, severity }));
    await harness.sentSoon(1);
    return {
      channel,
      next: (fields: Partial<Alert>) => harness.alert(rule, { service_id, ...fields }, true),
    };
  };

  test('at warning an alert that gets critical is notified, and its end', async () => {
    const { next } = await flapping('warning');
    const alert = await next({ severity: 'warning' });
    await harness.emit('fired', alert);
    const worse = await alerts.escalate(alert);
    await harness.sentSoon(2);
    await alerts.resolve(worse);
    await harness.sentSoon(3);
    expect(harness.transitions()).toEqual(['flapping', 'escalated', 'resolved']);
  });

  test('at warning a critical alert is notified however often it fires, until critical flaps itself', async () => {
    const { next } = await flapping('warning');
    for (const n of [2, 4]) {
      const alert = await next({ severity: 'critical' });
      await harness.emit('fired', alert);
      await alerts.resolve(alert);
      await harness.sentSoon(n + 1);
    }
    await harness.emit('flapping', await next({ severity: 'critical' }));
    await harness.sentSoon(6);
    await harness.emit('fired', await next({ severity: 'critical' }));
    await harness.quiet();
    expect(harness.transitions().slice(5)).toEqual(['flapping']);
  });

  test('what is withheld and goes on is notified once it is calm', async () => {
    const { next } = await flapping('critical');
    const alert = await next({ severity: 'critical' });
    await harness.emit('fired', alert);
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired flapping']);
    harness.now += 60 * MINUTE + 1;
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['flapping', 'fired']);
  });

  test('an event says which severity flaps, whatever the alert was last', async () => {
    const { rule } = await alerts.make();
    const service_id = newId('svc');
    const event = harness.event('flapping', await harness.alert(rule, { service_id, severity: 'critical' }));
    (event as { data: object }).data = { ...(event as { data: object }).data, flapping_severity: 'warning' };
    await harness.publish([event]);
    await harness.emit('fired', await harness.alert(rule, { service_id, severity: 'critical' }, true));
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['flapping', 'fired']);
  });

  test('a channel that was not notified of that is notified of all that comes after', async () => {
    const { rule, channel } = await alerts.make();
    const service_id = newId('svc');
    const next = () => harness.alert(rule, { service_id }, true);
    const silence = await harness.silence({ rule_ids: [rule.id] });
    await harness.emit('flapping', await next());
    await harness.endSilence(silence);
    await harness.sentSoon(1);
    const alert = await next();
    await harness.emit('fired', alert);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['silence_ended', 'fired']);
    expect(harness.sent.every(({ to }) => to === channel.id)).toBe(true);
  });

  test('where that could not be delivered what was withheld is made good', async () => {
    const { rule, channel } = await alerts.make();
    const service_id = newId('svc');
    let failure = refused();
    harness.answers.set(channel.id, ({ transition }) => (transition === 'flapping' ? failure : delivered()));
    await harness.emit('flapping', await harness.alert(rule, { service_id }));
    const alert = await harness.alert(rule, { service_id }, true);
    await harness.emit('fired', alert);
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired flapping']);
    failure = rejected;
    harness.now += MINUTE;
    await expect
      .poll(async () => harness.relay().then(() => harness.outcomes(alert)))
      .toEqual(['fired flapping', 'fired delivered']);
  });
});
