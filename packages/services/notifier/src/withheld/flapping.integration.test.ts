import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { beforeEach, describe, expect, test } from 'vitest';
import { delivered, type NotifierHarness, refused, rejected } from '../testing/notifier.harness.ts';
import { type AlertsUnderTest, openAlerts } from './alerts.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  ({ harness, alerts } = await openAlerts());
});

describe('notices of flapping streams:', () => {
  const flapping = async (severity: 'warning' | 'critical') => {
    const channel = harness.channel();
    const rule = await harness.rule({ channels: [channel.id] });
    const service_id = newId('svc');
    await harness.emit('flapping', await harness.alert(rule, { service_id, severity }));
    await harness.sentSoon(1);
    return {
      next: (fields: Partial<Alert>) => harness.alert(rule, { service_id, ...fields }, true),
      fire: (fields: Partial<Alert>) => alerts.fireOf(rule, { service_id, ...fields }),
    };
  };

  test('an alert that becomes critical in a stream flapping at warning is notified, and its resolution', async () => {
    const { fire } = await flapping('warning');
    const alert = await fire({ severity: 'warning' });
    const worse = await alerts.escalate(alert);
    await harness.sentSoon(2);
    await alerts.resolve(worse);
    await harness.sentSoon(3);
    expect(harness.transitions()).toEqual(['flapping', 'escalated', 'resolved']);
  });

  test('a critical alert in a stream flapping at warning is notified each time until the stream flaps at critical', async () => {
    const { next, fire } = await flapping('warning');
    for (const n of [2, 4]) {
      const alert = await fire({ severity: 'critical' });
      await alerts.resolve(alert);
      await harness.sentSoon(n + 1);
    }
    await harness.emit('flapping', await next({ severity: 'critical' }));
    await harness.sentSoon(6);
    await harness.emit('fired', await next({ severity: 'critical' }));
    await harness.quiet();
    expect(harness.transitions().slice(5)).toEqual(['flapping']);
  });

  test('an alert withheld for flapping is notified once its stream is calm', async () => {
    const { fire } = await flapping('critical');
    const alert = await fire({ severity: 'critical' });
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired flapping']);
    harness.now += 60 * MINUTE_MS + 1;
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['flapping', 'fired']);
  });

  test('the severity that flaps is taken from the event, not from the alert', async () => {
    const { rule } = await alerts.make();
    const service_id = newId('svc');
    const event = harness.event('flapping', await harness.alert(rule, { service_id, severity: 'critical' }));
    (event as { data: object }).data = { ...(event as { data: object }).data, flapping_severity: 'warning' };
    await harness.publish([event]);
    await harness.emit('fired', await harness.alert(rule, { service_id, severity: 'critical' }, true));
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['flapping', 'fired']);
  });

  test('a channel without a notice of flapping is notified of every alert of the stream', async () => {
    const { rule, channel } = await alerts.make();
    const service_id = newId('svc');
    const next = () => harness.alert(rule, { service_id }, true);
    const silence = await harness.silence({ rule_ids: [rule.id] });
    await harness.emit('flapping', await next());
    await harness.endSilence(silence);
    await harness.sentSoon(1);
    await alerts.fireOf(rule, { service_id });
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['silence_ended', 'fired']);
    expect(harness.sent.every(({ to }) => to === channel.id)).toBe(true);
  });

  test('alerts withheld for flapping are notified if the notice of flapping could not be delivered', async () => {
    const { rule, channel } = await alerts.make();
    const service_id = newId('svc');
    let failure = refused();
    harness.answers.set(channel.id, ({ transition }) => (transition === 'flapping' ? failure : delivered()));
    await harness.emit('flapping', await harness.alert(rule, { service_id }));
    const alert = await alerts.fireOf(rule, { service_id });
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired flapping']);
    failure = rejected;
    harness.now += MINUTE_MS;
    await expect
      .poll(async () => harness.relay().then(() => harness.outcomes(alert)))
      .toEqual(['fired flapping', 'fired delivered']);
  });
});
