import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { delivered, NotifierBed, refused, rejected } from '../testing/notifier.harness.ts';

let bed: NotifierBed;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  bed = await NotifierBed.open();
  alerts = new AlertsUnderTest(bed);
  bed.notifier.start();
});
afterEach(() => bed?.close());

const MINUTE = 60_000;

describe('while a stream flaps', () => {
  const flapping = async (severity: 'warning' | 'critical') => {
    const channel = bed.channel();
    const rule = await bed.rule({ channels: [channel.id] });
    const service_id = newId('svc');
    await bed.tell('flapping', await bed.alert(rule, { service_id, severity }));
    await bed.sentSoon(1);
    return { channel, next: (fields: Partial<Alert>) => bed.alert(rule, { service_id, ...fields }, true) };
  };

  test('at warning an alert that gets critical is notified, and its end', async () => {
    const { next } = await flapping('warning');
    const alert = await next({ severity: 'warning' });
    await bed.tell('fired', alert);
    const worse = await alerts.escalate(alert);
    await bed.sentSoon(2);
    await alerts.resolve(worse);
    await bed.sentSoon(3);
    expect(bed.transitions()).toEqual(['flapping', 'escalated', 'resolved']);
  });

  test('at warning a critical alert is notified however often it fires, until critical flaps itself', async () => {
    const { next } = await flapping('warning');
    for (const n of [2, 4]) {
      const alert = await next({ severity: 'critical' });
      await bed.tell('fired', alert);
      await alerts.resolve(alert);
      await bed.sentSoon(n + 1);
    }
    await bed.tell('flapping', await next({ severity: 'critical' }));
    await bed.sentSoon(6);
    await bed.tell('fired', await next({ severity: 'critical' }));
    await bed.quiet();
    expect(bed.transitions().slice(5)).toEqual(['flapping']);
  });

  test('what is withheld and goes on is notified once it is calm', async () => {
    const { next } = await flapping('critical');
    const alert = await next({ severity: 'critical' });
    await bed.tell('fired', alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual(['fired flapping']);
    bed.now += 60 * MINUTE + 1;
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['flapping', 'fired']);
  });

  test('an event says which severity flaps, whatever the alert was last', async () => {
    const { rule } = await alerts.make();
    const service_id = newId('svc');
    const event = bed.event('flapping', await bed.alert(rule, { service_id, severity: 'critical' }));
    (event as { data: object }).data = { ...(event as { data: object }).data, flapping_severity: 'warning' };
    await bed.publish([event]);
    await bed.tell('fired', await bed.alert(rule, { service_id, severity: 'critical' }, true));
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['flapping', 'fired']);
  });

  test('a channel that was not notified of that is notified of all that comes after', async () => {
    const { rule, channel } = await alerts.make();
    const service_id = newId('svc');
    const next = () => bed.alert(rule, { service_id }, true);
    const silence = await bed.silence({ rule_ids: [rule.id] });
    await bed.tell('flapping', await next());
    await bed.endSilence(silence);
    await bed.sentSoon(1);
    const alert = await next();
    await bed.tell('fired', alert);
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['silence_ended', 'fired']);
    expect(bed.sent.every(({ to }) => to === channel.id)).toBe(true);
  });

  test('where that could not be delivered what was withheld is made good', async () => {
    const { rule, channel } = await alerts.make();
    const service_id = newId('svc');
    let failure = refused();
    bed.answers.set(channel.id, ({ transition }) => (transition === 'flapping' ? failure : delivered()));
    await bed.tell('flapping', await bed.alert(rule, { service_id }));
    const alert = await bed.alert(rule, { service_id }, true);
    await bed.tell('fired', alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual(['fired flapping']);
    failure = rejected;
    bed.now += MINUTE;
    await expect
      .poll(async () => bed.relay().then(() => bed.outcomes(alert)))
      .toEqual(['fired flapping', 'fired delivered']);
  });
});
