import { newId } from '@tidewatch/contracts/values/id';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { NotifierBed, refused, rejected } from '../testing/notifier.harness.ts';

let bed: NotifierBed;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  bed = await NotifierBed.open();
  alerts = new AlertsUnderTest(bed);
  bed.notifier.start();
});
afterEach(() => bed?.close());

const MINUTE = 60_000;

describe('while a host is offline', () => {
  /** A host with an alert that says so on the channels, and a rule of another metric on others. */
  async function offlineHost(offlineOn: string[], othersOn: string[]) {
    const service_id = newId('svc');
    const metric = 'host.silent_minutes';
    const offlineRule = await bed.rule({ metric, channels: offlineOn });
    const rule = await bed.rule({ channels: othersOn });
    return {
      rule,
      offline: await bed.alert(offlineRule, { service_id, metric }, true),
      next: () => bed.alert(rule, { service_id }, true),
    };
  }

  test('its other alerts are withheld where that is notified, and nowhere else', async () => {
    const [told, other] = [bed.channel(), bed.channel()];
    const { offline, next } = await offlineHost([told.id], [told.id, other.id]);
    const alert = await next();
    await bed.tell('fired', offline, alert);
    await bed.sentSoon(2);
    expect(bed.sent.map(({ to }) => to).sort()).toEqual([told.id, other.id].sort());
    expect((await bed.outcomes(alert)).sort()).toEqual(['fired delivered', 'fired host_offline']);
    await alerts.resolve(offline);
    await bed.sentSoon(4);
    expect(bed.sent.filter(({ to }) => to === other.id)).toHaveLength(1);
    expect(
      bed.sent
        .filter(({ to }) => to === told.id)
        .map(({ transition }) => transition)
        .sort(),
    ).toEqual([...['fired', 'fired', 'resolved']]);
  });

  test('that is notified after the others of its batch withholds them all the same', async () => {
    const channel = bed.channel();
    const { offline, next } = await offlineHost([channel.id], [channel.id]);
    const alert = await next();
    await bed.tell('fired', alert, offline);
    await bed.sentSoon(1);
    expect(await bed.outcomes(alert)).toEqual(['fired host_offline']);
  });

  test.each<[string, (channel: string) => Promise<string[]> | string[]]>([
    ['whose rule has no channels', () => []],
    ['whose rule names another channel', () => [bed.channel().id]],
    ['whose rule names a kind without a channel', () => ['pagerduty']],
    ['whose channel is disabled', () => [bed.channel({ state: 'disabled' }).id]],
  ])('an alert %s withholds nothing', async (_, choose) => {
    const channel = bed.channel();
    const { offline, next } = await offlineHost(await choose(channel.id), [channel.id]);
    const alert = await next();
    await bed.tell('fired', offline, alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('an alert that the channel did not ask for withholds nothing', async () => {
    const channel = bed.channel({ events: ['alert.escalated', 'alert.resolved'] });
    const { offline, next, rule } = await offlineHost([channel.id], [channel.id]);
    await bed.tell('fired', offline);
    const alert = await next();
    await bed.tell('escalated', alert);
    await bed.sentSoon(1);
    expect(rule.id).toBe(alert.rule_id);
    expect(await bed.outcomes(alert)).toEqual(['escalated delivered']);
  });

  test('an alert that is silenced withholds nothing', async () => {
    const channel = bed.channel();
    const { offline, next } = await offlineHost([channel.id], [channel.id]);
    await bed.silence({ rule_ids: [offline.rule_id] });
    await bed.tell('fired', offline);
    const alert = await next();
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    expect(await bed.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('an alert that could not be delivered withholds nothing, and what it withheld before is made good', async () => {
    const channel = bed.channel();
    let answer = refused();
    bed.answers.set(channel.id, ({ hosts }) =>
      hosts[0] === 'offline' ? answer : { status: 'delivered', reference: null },
    );
    const { offline, next } = await offlineHost([channel.id], [channel.id]);
    await alerts.update(offline, { host: 'offline' });
    await bed.tell('fired', { ...offline, host: 'offline' });
    const before = await next();
    await bed.tell('fired', before);
    await bed.quiet();
    expect(await bed.outcomes(before)).toEqual(['fired host_offline']);
    answer = rejected;
    bed.now += MINUTE;
    await expect.poll(() => bed.outcomes(offline)).toEqual(['fired failed']);
    await expect
      .poll(async () => bed.relay().then(() => bed.outcomes(before)))
      .toEqual([...['fired host_offline', 'fired delivered']]);
    const after = await next();
    await bed.tell('fired', after);
    await expect.poll(() => bed.outcomes(after)).toEqual(['fired delivered']);
  });
});
