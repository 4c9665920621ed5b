import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { beforeEach, describe, expect, test } from 'vitest';
import { type NotifierHarness, refused } from '../testing/notifier.harness.ts';
import { type AlertsUnderTest, openAlerts } from './alerts.harness.ts';

let harness: NotifierHarness;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  ({ harness, alerts } = await openAlerts());
});

describe('notices under a silence:', () => {
  test.each<[string, (alert: Alert) => object, boolean]>([
    ['of its host', ({ host }) => ({ hosts: [host] }), true],
    ['of its rule', ({ rule_id }) => ({ rule_ids: [rule_id] }), true],
    ['of its severity', ({ severity }) => ({ severities: [severity] }), true],
    ['of its subject', ({ subject }) => ({ subjects: [subject] }), true],
    ['of another severity', () => ({ severities: ['info'] }), false],
    ['of another host', () => ({ hosts: ['other'] }), false],
  ])(
    'a silence %s withholds the alert exactly if it matches, also while its row is not marked as silenced',
    async (_, matchers, silenced) => {
      const { alert } = await alerts.make();
      await harness.silence(matchers(alert));
      await harness.emit('fired', alert);
      await harness.quiet();
      expect(await harness.outcomes(alert)).toEqual([silenced ? 'fired silenced' : 'fired delivered']);
    },
  );

  test('a silence that matches by tags not stored yet applies if the evaluator matched it', async () => {
    const { rule } = await alerts.make();
    const silenced_by = await harness.silence({ tags: { env: 'prod' } });
    const alert = await alerts.fireOf(rule, { silenced_by });
    await harness.quiet();
    expect(await harness.outcomes(alert)).toEqual(['fired silenced']);
  });

  test('an alert whose silence ended before planning is notified', async () => {
    const { rule } = await alerts.make();
    const silenced_by = await harness.silence({ hosts: ['web-01'] });
    const alert = await harness.alert(rule, { silenced_by }, true);
    await harness.endSilence(silenced_by);
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    expect(await harness.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('an alert withheld by a silence is notified once when the silence ends, and one notified before is not notified again', async () => {
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

  test('a reminder due under a silence is sent when the silence ends', async () => {
    const { alert } = await alerts.fire({}, { renotify_minutes: 1 });
    await harness.sentSoon(1);
    const silence = await harness.silence({ hosts: [alert.host] });
    harness.now += 10 * MINUTE_MS;
    await harness.quiet();
    expect(harness.transitions()).toEqual(['fired']);
    await harness.endSilence(silence);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['fired', 'renotified']);
  });

  test('a recurring silence delays reminders of alerts that fired between its windows', async () => {
    const { alert } = await alerts.make({}, { renotify_minutes: 1 });
    await harness.silence({ hosts: [alert.host] }, {
      from: 5,
      until: 15,
      recurrence: 'FREQ=HOURLY',
    } as never);
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    harness.now += 6 * MINUTE_MS;
    await harness.quiet();
    expect(harness.transitions()).toEqual(['fired']);
    harness.now += 10 * MINUTE_MS;
    await harness.sentSoon(2);
  });

  test('an alert that becomes critical under a silence of warnings is notified, and nothing follows when it eases back', async () => {
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

  test('an escalation withheld by a silence of critical alerts is notified when the silence ends while the alert is critical', async () => {
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

  test('the resolution of a silenced alert goes to the channel that was notified of its firing', async () => {
    const { alert } = await alerts.fire();
    await harness.sentSoon(1);
    await harness.silence({ hosts: [alert.host] });
    await alerts.resolve(alert);
    await harness.sentSoon(2);
    expect(harness.transitions()).toEqual(['fired', 'resolved']);
  });

  test('a withheld notice is sent by another notifier after the first one was stopped', async () => {
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

  test('a notice that waits for a retry is withdrawn when a silence begins, and sent when it ends', async () => {
    const { alert, channel } = await alerts.make();
    harness.answers.set(channel.id, () => refused());
    await harness.emit('fired', alert);
    await harness.sentSoon(1);
    const silenced_by = await harness.silence({ hosts: [alert.host] });
    await alerts.update(alert, { silenced_by });
    await expect.poll(() => harness.outcomes(alert)).toEqual(['fired silenced']);
    harness.answers.delete(channel.id);
    harness.now += 10 * MINUTE_MS;
    await harness.quiet();
    expect(harness.sent).toHaveLength(1);
    await alerts.update(alert, { silenced_by: null });
    await harness.endSilence(silenced_by);
    await harness.sentSoon(2);
    expect(await harness.outcomes(alert)).toEqual(['fired silenced', 'silence_ended delivered']);
  });

  test('a silenced notice is taken out of its digest, and the digest is sent with the others', async () => {
    const { rule } = await alerts.make();
    const hosts = Array.from({ length: 8 }, (_, n) => `host-${n}`);
    const all = await Promise.all(hosts.map((host) => harness.alert(rule, { host }, true)));
    await harness.emit('fired', ...all);
    await harness.sentSoon(5);
    const muted = all[6] as (typeof all)[number];
    const silenced_by = await harness.silence({ hosts: [muted.host] });
    await alerts.update(muted, { silenced_by });
    await expect.poll(() => harness.outcomes(muted)).toEqual(['fired silenced']);
    harness.now += MINUTE_MS;
    const sent = await harness.sentSoon(6);
    expect(sent[5]).toMatchObject({ transition: 'digest' });
    expect(sent[5]?.hosts.toSorted()).toEqual(['host-5', 'host-7']);
    await alerts.update(muted, { silenced_by: null });
    await harness.endSilence(silenced_by);
    const made = await harness.sentSoon(7);
    expect(made[6]).toMatchObject({ transition: 'silence_ended', hosts: ['host-6'] });
  });
});
