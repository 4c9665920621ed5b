import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { NotifierHarness, refused } from '../testing/notifier.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  harness = await NotifierHarness.open();
  alerts = new AlertsUnderTest(harness);
  harness.notifier.start();
});
afterEach(() => harness?.close());

const MINUTE = 60_000;

describe('under a silence', () => {
  test.each<[string, (alert: Alert) => object, boolean]>([
    ['of its host', ({ host }) => ({ hosts: [host] }), true],
    ['of its rule', ({ rule_id }) => ({ rule_ids: [rule_id] }), true],
    ['of its severity', ({ severity }) => ({ severities: [severity] }), true],
    ['of its subject', ({ subject }) => ({ subjects: [subject] }), true],
    ['of another severity', () => ({ severities: ['info'] }), false],
    ['of another host', () => ({ hosts: ['other'] }), false],
  ])('%s an alert is notified or not, whatever its row says yet', async (_, matchers, silenced) => {
    const { alert } = await alerts.make();
    await harness.silence(matchers(alert));
    await harness.emit('fired', alert);
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual([silenced ? 'fired silenced' : 'fired delivered']);
  });

  test('that matches by tags which are not stored yet it goes by who judged the sample', async () => {
    const { rule } = await alerts.make();
    const silenced_by = await harness.silence({ tags: { env: 'prod' } });
    const alert = await harness.alert(rule, { silenced_by }, true);
    await harness.emit('fired', alert);
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired silenced']);
  });

  test('that ended before the event is planned an alert is notified', async () => {
    const { rule } = await alerts.make();
    const silenced_by = await harness.silence({ hosts: ['web-01'] });
    const alert = await harness.alert(rule, { silenced_by }, true);
    await harness.endSilence(silenced_by);
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('what was withheld is made good once when it ends, what was notified before is not said again', async () => {
    const { rule, alert: before } = await alerts.make();
    await harness.emit('fired', before);
    await harness.sentSoon(1);
    const silence = await harness.silence({ rule_ids: [rule.id] });
    const [muted, ended] = [await harness.alert(rule, {}, true), await harness.alert(rule, {}, true)];
    await harness.emit('fired', muted, ended);
    await alerts.resolve(ended);
    await harness.quiet();
    const others = [harness.another(), harness.another()];
    for (const other of others) other.start();
    await harness.endSilence(silence);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['fired', 'silence_ended']);
    expect(await harness.outcomes(muted)).toEqual(['fired silenced', 'silence_ended delivered']);
    expect(await harness.outcomes(ended)).toEqual(['fired silenced', 'resolved firing_not_notified']);
    await Promise.all(others.map((other) => other.stop()));
  });

  test('reminders stay due, and come when it ends', async () => {
    const { alert } = await alerts.make({}, { renotify_minutes: 1 });
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    const silence = await harness.silence({ hosts: [alert.host] });
    harness.now += 10 * MINUTE;
    await harness.quiet();
    expect(harness.transitions()).toEqual(['fired']);
    await harness.endSilence(silence);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['fired', 'renotified']);
  });

  test('a window of a recurring one mutes what fired between windows too', async () => {
    const { alert } = await alerts.make({}, { renotify_minutes: 1 });
    await harness.silence({ hosts: [alert.host] }, {
      from: 5,
      until: 15,
      recurrence: 'FREQ=HOURLY',
    } as never);
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    harness.now += 6 * MINUTE;
    await harness.quiet();
    expect(harness.transitions()).toEqual(['fired']);
    harness.now += 10 * MINUTE;
    await harness.sentSoon(2);
  });

  test('of warnings an alert that gets critical is notified, and one that eases back is owed nothing more', async () => {
    const { alert } = await alerts.make({ severity: 'warning' });
    const silence = await harness.silence({ severities: ['warning'] });
    await harness.emit('fired', alert);
    const worse = await alerts.escalate(alert);
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['escalated']);
    await alerts.update(worse, { severity: 'warning' });
    await harness.endSilence(silence);
    await harness.quiet();
    expect(harness.transitions()).toEqual(['escalated']);
  });

  test('of critical alerts a rise is made good when it ends while it is critical', async () => {
    const { alert } = await alerts.make({ severity: 'warning' });
    const silence = await harness.silence({ severities: ['critical'] });
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    await alerts.escalate(alert);
    await harness.quiet();
    expect(harness.transitions()).toEqual(['fired']);
    await harness.endSilence(silence);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['fired', 'silence_ended']);
  });

  test('a resolution is notified where the firing was', async () => {
    const { alert } = await alerts.make();
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    await harness.silence({ hosts: [alert.host] });
    await alerts.resolve(alert);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['fired', 'resolved']);
  });

  test('a notice outlasts a notifier that is stopped between withholding it and making it good', async () => {
    const { alert } = await alerts.make();
    const silence = await harness.silence({ hosts: [alert.host] });
    await harness.emit('fired', alert);
    await harness.notifier.stop();
    await harness.endSilence(silence);
    harness.notifier = harness.another();
    harness.notifier.start();
    await harness.sentSoon(1);
    expect(harness.transitions()).toEqual(['silence_ended']);
  });

  test('a notice that waits for a retry is taken back, and made good when it ends', async () => {
    const { alert, channel } = await alerts.make();
    harness.answers.set(channel.id, () => refused());
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    const silenced_by = await harness.silence({ hosts: [alert.host] });
    await alerts.update(alert, { silenced_by });
    await expect.poll(() => harness.outcomes(alert)).toEqual(['fired silenced']);
    harness.answers.delete(channel.id);
    harness.now += 10 * MINUTE;
    await harness.quiet();
    expect(harness.sent).toHaveLength(1);
    await alerts.update(alert, { silenced_by: null });
    await harness.endSilence(silenced_by);
    await harness.sentSoon(2);
    expect(await harness.outcomes(alert)).toEqual(['fired silenced', 'silence_ended delivered']);
  });

  test('a notice that gathers in a digest is taken out of it, the others leave with it', async () => {
    const { rule } = await alerts.make();
    const hosts = Array.from({ length: 8 }, (_, n) => `host-${n}`);
    const all = await Promise.all(hosts.map((host) => harness.alert(rule, { host }, true)));
    await harness.emit('fired', ...all);
    await harness.sentSoon(5);
    const muted = all[6] as (typeof all)[number];
    const silenced_by = await harness.silence({ hosts: [muted.host] });
    await alerts.update(muted, { silenced_by });
    await expect.poll(() => harness.outcomes(muted)).toEqual(['fired silenced']);
    harness.now += MINUTE;
    const sent = await harness.sentSoon(6);
    expect(sent[5]).toMatchObject({ transition: 'digest' });
    expect(sent[5]?.hosts.toSorted()).toEqual(['host-5', 'host-7']);
    await alerts.update(muted, { silenced_by: null });
    await harness.endSilence(silenced_by);
    const made = await harness.sentSoon(7);
    expect(made[6]).toMatchObject({ transition: 'silence_ended', hosts: ['host-6'] });
  });
});
