import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertsUnderTest } from '../testing/alerts-under-test.harness.ts';
import { NotifierBed, refused } from '../testing/notifier.harness.ts';

let bed: NotifierBed;
let alerts: AlertsUnderTest;
beforeEach(async () => {
  bed = await NotifierBed.open();
  alerts = new AlertsUnderTest(bed);
  bed.notifier.start();
});
afterEach(() => bed?.close());

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
    await bed.silence(matchers(alert));
    await bed.tell('fired', alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual([silenced ? 'fired silenced' : 'fired delivered']);
  });

  test('that matches by tags which are not stored yet it goes by who judged the sample', async () => {
    const { rule } = await alerts.make();
    const silenced_by = await bed.silence({ tags: { env: 'prod' } });
    const alert = await bed.alert(rule, { silenced_by }, true);
    await bed.tell('fired', alert);
    await bed.quiet();
    expect(await bed.outcomes(alert)).toEqual(['fired silenced']);
  });

  test('that ended before the event is planned an alert is notified', async () => {
    const { rule } = await alerts.make();
    const silenced_by = await bed.silence({ hosts: ['web-01'] });
    const alert = await bed.alert(rule, { silenced_by }, true);
    await bed.endSilence(silenced_by);
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    expect(await bed.outcomes(alert)).toEqual(['fired delivered']);
  });

  test('what was withheld is made good once when it ends, what was notified before is not said again', async () => {
    const { rule, alert: before } = await alerts.make();
    await bed.tell('fired', before);
    await bed.sentSoon(1);
    const silence = await bed.silence({ rule_ids: [rule.id] });
    const [muted, ended] = [await bed.alert(rule, {}, true), await bed.alert(rule, {}, true)];
    await bed.tell('fired', muted, ended);
    await alerts.resolve(ended);
    await bed.quiet();
    const others = [bed.another(), bed.another()];
    for (const other of others) other.start();
    await bed.endSilence(silence);
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['fired', 'silence_ended']);
    expect(await bed.outcomes(muted)).toEqual(['fired silenced', 'silence_ended delivered']);
    expect(await bed.outcomes(ended)).toEqual(['fired silenced', 'resolved firing_not_told']);
    await Promise.all(others.map((other) => other.stop()));
  });

  test('reminders stay due, and come when it ends', async () => {
    const { alert } = await alerts.make({}, { renotify_minutes: 1 });
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    const silence = await bed.silence({ hosts: [alert.host] });
    bed.now += 10 * MINUTE;
    await bed.quiet();
    expect(bed.transitions()).toEqual(['fired']);
    await bed.endSilence(silence);
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['fired', 'renotified']);
  });

  test('a window of a recurring one mutes what fired between windows too', async () => {
    const { alert } = await alerts.make({}, { renotify_minutes: 1 });
    await bed.silence({ hosts: [alert.host] }, { from: 5, until: 15, recurrence: 'FREQ=HOURLY' } as never);
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    bed.now += 6 * MINUTE;
    await bed.quiet();
    expect(bed.transitions()).toEqual(['fired']);
    bed.now += 10 * MINUTE;
    await bed.sentSoon(2);
  });

  test('of warnings an alert that gets critical is notified, and one that eases back is owed nothing more', async () => {
    const { alert } = await alerts.make({ severity: 'warning' });
    const silence = await bed.silence({ severities: ['warning'] });
    await bed.tell('fired', alert);
    const worse = await alerts.escalate(alert);
    await bed.sentSoon(1);
    expect(bed.transitions()).toEqual(['escalated']);
    await alerts.update(worse, { severity: 'warning' });
    await bed.endSilence(silence);
    await bed.quiet();
    expect(bed.transitions()).toEqual(['escalated']);
  });

  test('of critical alerts a rise is made good when it ends while it is critical', async () => {
    const { alert } = await alerts.make({ severity: 'warning' });
    const silence = await bed.silence({ severities: ['critical'] });
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    await alerts.escalate(alert);
    await bed.quiet();
    expect(bed.transitions()).toEqual(['fired']);
    await bed.endSilence(silence);
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['fired', 'silence_ended']);
  });

  test('a resolution is notified where the firing was', async () => {
    const { alert } = await alerts.make();
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    await bed.silence({ hosts: [alert.host] });
    await alerts.resolve(alert);
    await bed.sentSoon(2);
    expect(bed.transitions()).toEqual(['fired', 'resolved']);
  });

  test('a notice outlasts a notifier that is stopped between withholding it and making it good', async () => {
    const { alert } = await alerts.make();
    const silence = await bed.silence({ hosts: [alert.host] });
    await bed.tell('fired', alert);
    await bed.notifier.stop();
    await bed.endSilence(silence);
    bed.notifier = bed.another();
    bed.notifier.start();
    await bed.sentSoon(1);
    expect(bed.transitions()).toEqual(['silence_ended']);
  });

  test('a notice that waits for a retry is taken back, and made good when it ends', async () => {
    const { alert, channel } = await alerts.make();
    bed.answers.set(channel.id, () => refused());
    await bed.tell('fired', alert);
    await bed.sentSoon(1);
    const silenced_by = await bed.silence({ hosts: [alert.host] });
    await alerts.update(alert, { silenced_by });
    await expect.poll(() => bed.outcomes(alert)).toEqual(['fired silenced']);
    bed.answers.delete(channel.id);
    bed.now += 10 * MINUTE;
    await bed.quiet();
    expect(bed.sent).toHaveLength(1);
    await alerts.update(alert, { silenced_by: null });
    await bed.endSilence(silenced_by);
    await bed.sentSoon(2);
    expect(await bed.outcomes(alert)).toEqual(['fired silenced', 'silence_ended delivered']);
  });

  test('a notice that gathers in a digest is taken out of it, the others leave with it', async () => {
    const { rule } = await alerts.make();
    const hosts = Array.from({ length: 8 }, (_, n) => `host-${n}`);
    const all = await Promise.all(hosts.map((host) => bed.alert(rule, { host }, true)));
    await bed.tell('fired', ...all);
    await bed.sentSoon(5);
    const muted = all[6] as (typeof all)[number];
    const silenced_by = await bed.silence({ hosts: [muted.host] });
    await alerts.update(muted, { silenced_by });
    await expect.poll(() => bed.outcomes(muted)).toEqual(['fired silenced']);
    bed.now += MINUTE;
    const sent = await bed.sentSoon(6);
    expect(sent[5]).toMatchObject({ transition: 'digest' });
    expect(sent[5]?.hosts.toSorted()).toEqual(['host-5', 'host-7']);
    await alerts.update(muted, { silenced_by: null });
    await bed.endSilence(silenced_by);
    const made = await bed.sentSoon(7);
    expect(made[6]).toMatchObject({ transition: 'silence_ended', hosts: ['host-6'] });
  });
});
