import { levelOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

const only = (host: string) => ({ scope: { hosts: [host] } });
const noData = (policy: 'alert' | 'resolve', after_minutes = 2) => ({ no_data: { policy, after_minutes } });

describe('a metric without data', () => {
  test('fires an alert without a value under the policy `alert`, and the next clear sample resolves it', async () => {
    const { host, rule } = await harness.ownRule({ ...noData('alert'), severity: 'critical' });
    await harness.send(host, rule.metric, [[0, 5]]);
    await harness.beat(100);
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.beat(40);
    const [alert] = await harness.alerts(rule.id);
    expect(alert).toMatchObject({ status: 'active', no_data: true, value: null, peak_value: null });
    expect(alert?.summary).toBe(`${host}: ${rule.metric} has not been reported for 2 minutes.`);
    expect(await harness.service(host)).toMatchObject({ status: 'critical' });
    await harness.beat(60);
    expect(await harness.alerts(rule.id)).toHaveLength(1);
    await harness.begin();
    await harness.send(host, rule.metric, [[0, 5]]);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { status: 'resolved', resolution: 'recovered', value: 5 },
    ]);
  });

  test('resolves its alert by a clear sample from before it fired, as sent by a host whose clock is behind', async () => {
    const { host, rule } = await harness.ownRule(noData('alert'));
    await harness.send(host, rule.metric, [[0, 5]]);
    await harness.beat(140);
    const [alert] = await harness.alerts(rule.id);
    await harness.send(host, rule.metric, [[-1, 6]]);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { status: 'resolved', resolution: 'recovered', value: 6, resolved_at: alert?.fired_at },
    ]);
  });

  test('fires for a host that still sends other metrics, and for each metric by itself', async () => {
    const { host, rule } = await harness.ownRule(noData('alert'));
    const other = await harness.rule({ ...noData('alert'), ...only(host) });
    await harness.send(host, rule.metric, [[0, 5]]);
    for (let i = 0; i < 5; i += 1) {
      await harness.beat(30);
      await harness.send(host, other.metric, [[0, 5]]);
    }
    expect(await harness.alerts(rule.id)).toMatchObject([{ no_data: true }]);
    expect(await harness.alerts(other.id)).toHaveLength(0);
  });

  test('resolves an alert under the policy `resolve`', async () => {
    const { host, rule } = await harness.ownRule(noData('resolve'));
    await harness.send(host, rule.metric, [[0, 95]]);
    await harness.beat(140);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { status: 'resolved', resolution: 'no_data', value: 95 },
    ]);
  });

  test('leaves an alert unchanged by default', async () => {
    const { host, rule } = await harness.ownRule({ no_data: { policy: 'keep_state', after_minutes: 1 } });
    await harness.send(host, rule.metric, [[0, 95]]);
    await harness.beat(140);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
  });

  test('gets a full grace period after a restart, and then fires for a host that never comes back', async () => {
    const { host, rule } = await harness.ownRule(noData('alert'));
    await harness.send(host, rule.metric, [[0, 5]]);
    await harness.beat(100);
    await harness.begin();
    await harness.beat(100);
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.beat(50);
    expect(await harness.alerts(rule.id)).toMatchObject([{ no_data: true }]);
  });

  test('fires by a new rule for metrics reported before the rule, and not for hosts out of its scope', async () => {
    const [host, outside] = [harness.newHost(), harness.newHost()];
    const metric = `m_${host}`;
    for (const name of [host, outside]) await harness.send(name, metric, [[0, 5]]);
    const rule = await harness.rule({ metric, ...noData('alert'), ...only(host) });
    await harness.beat(140);
    expect((await harness.alerts(rule.id)).map((alert) => alert.host)).toEqual([host]);
  });

  test('emits each event once when the transaction is rolled back and repeated', async () => {
    const { host, rule } = await harness.ownRule(noData('alert'));
    await harness.send(host, rule.metric, [[0, 5]]);
    await harness.send(host, rule.metric, [[0, 6]], {}, { fail: true });
    await harness.beat(140);
    await harness.send(host, rule.metric, [[0, 95]], {}, { fail: true });
    await harness.beat(20);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active', no_data: true, value: null }]);
  });
});

describe('host.silent_minutes', () => {
  test('fires for a silent host and resolves with its next payload', async () => {
    const [host, other] = [harness.newHost(), harness.newHost()];
    const rule = await harness.rule({
      metric: 'host.silent_minutes',
      threshold: 2,
      scope: { hosts: [host, other] },
    });
    await harness.send(host, 'beat', [[0, 1]]);
    for (let i = 0; i < 14; i += 1) {
      await harness.send(other, 'beat', [[0, 1]]);
      await harness.beat(10);
    }
    const [alert, ...more] = await harness.alerts(rule.id);
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ host, status: 'active', no_data: false });
    expect(alert?.value).toBeGreaterThan(2);
    await harness.send(host, 'beat', [[0, 1]]);
    await harness.beat(11);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { host, status: 'resolved', resolution: 'recovered' },
    ]);
  });

  test('neither resolves its alert nor fires another at a restart', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'host.silent_minutes', threshold: 2 });
    await harness.send(host, 'beat', [[0, 1]]);
    await harness.beat(140);
    const [alert] = await harness.alerts(rule.id);
    expect(alert).toMatchObject({ status: 'active' });
    await harness.begin();
    await harness.beat(60);
    expect(await harness.alerts(rule.id)).toMatchObject([{ id: alert?.id, status: 'active' }]);
    await harness.beat(100);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { id: alert?.id, status: 'active', fired_at: alert?.fired_at },
    ]);
    await harness.send(host, 'beat', [[0, 1]]);
    await harness.beat(11);
    expect(await harness.alerts(rule.id)).toMatchObject([{ id: alert?.id, status: 'resolved' }]);
  });

  /** Creates a rule that selects one host by a pattern, so that the rule does not name the host. */
  const ruleByPattern = async (prefix: string) =>
    harness.rule({ metric: 'host.silent_minutes', threshold: 5, scope: { hosts: [`${prefix}*`] } });

  test('fires by a rule that does not name the host only once the host has a rhythm, over a restart too', async () => {
    const [once, thrice, regular] = [harness.newHost(), harness.newHost(), harness.newHost()];
    const rules = [await ruleByPattern(once), await ruleByPattern(thrice), await ruleByPattern(regular)];
    await harness.send(once, 'beat', [
      [-2, 1],
      [-1, 1],
      [0, 1],
    ]);
    for (let i = 0; i < 4; i += 1) {
      for (const host of i < 3 ? [thrice, regular] : [regular]) await harness.send(host, 'beat', [[0, 1]]);
      await harness.beat(10);
    }
    await harness.beat(320);
    const fired = async () => Promise.all(rules.map(async ({ id }) => (await harness.alerts(id)).length));
    expect(await fired()).toEqual([0, 0, 1]);
    expect((await harness.service(once))?.['status']).toBe('offline');
    await harness.begin();
    await harness.beat(400);
    expect(await fired()).toEqual([0, 0, 1]);
  });

  test('fires by a rule that does not name the host after three of its usual intervals, and not before', async () => {
    const host = harness.newHost();
    const rule = await ruleByPattern(host);
    for (let i = 0; i < 5; i += 1) {
      await harness.send(host, 'beat', [[0, 1]]);
      await harness.beat(600);
    }
    await harness.beat(1_100);
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.beat(130);
    expect(await harness.alerts(rule.id)).toMatchObject([{ host, status: 'active' }]);
  });

  test('does not grow while no heartbeat arrives', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'host.silent_minutes', threshold: 2 });
    await harness.send(host, 'beat', [[0, 1]]);
    await harness.beat(60);
    harness.now += 3_600_000;
    await harness.beat(30);
    expect(await harness.alerts(rule.id)).toHaveLength(0);
  });
});

describe('a service that stays offline', () => {
  test('is archived and its alerts end, and its next payload restores it under the same id', async () => {
    const { host, rule } = await harness.ownRule();
    const silent = await harness.rule({ metric: 'host.silent_minutes', threshold: 1, ...only(host) });
    const missing = await harness.rule({ ...noData('alert', 1), ...only(host) });
    await harness.send(host, missing.metric, [[0, 5]]);
    await harness.send(host, rule.metric, [[0, 95]], { tags: { ephemeral: 'true' } });
    await harness.beat(200);
    const { id } = (await harness.service(host)) ?? {};
    expect(await harness.service(host)).toMatchObject({ status: 'offline', archived_at: null });
    harness.now += DAY_MS;
    await harness.beat(120);
    expect(await harness.service(host)).toMatchObject({ status: 'offline' });
    expect((await harness.service(host))?.['archived_at']).not.toBeNull();
    expect(await harness.alerts(rule.id)).toMatchObject([
      { status: 'resolved', resolution: 'service_archived' },
    ]);
    expect((await harness.typesOf(id)).at(-1)).toBe('service.archived');
    await harness.beat(120);
    for (const { id: watching } of [silent, missing])
      expect(await harness.alerts(watching)).toMatchObject([{ resolution: 'service_archived' }]);
    await harness.begin();
    await harness.beat(120);
    await harness.send(host, rule.metric, [[0, 96]]);
    expect(await harness.service(host)).toMatchObject({ id, archived_at: null, status: 'degraded' });
    expect((await harness.alerts(rule.id)).map(({ status }) => status)).toEqual(['resolved', 'active']);
    expect((await harness.typesOf(id)).at(-1)).toBe('service.online');
  });

  test('is not archived for the time in which no evaluator ran', async () => {
    const host = harness.newHost();
    await harness.send(host, 'beat', [[0, 1]], { tags: { ephemeral: 'true' } });
    await harness.beat(200);
    harness.now += 30 * DAY_MS;
    await harness.begin();
    await harness.beat(170);
    expect(await harness.service(host)).toMatchObject({ status: 'offline', archived_at: null });
    for (let i = 0; i < 3; i += 1) await harness.beat(61);
    expect((await harness.service(host))?.['archived_at']).not.toBeNull();
  });
});

describe('an alert that comes and goes', () => {
  test('emits one flapping event, over restarts too', async () => {
    const { host, rule } = await harness.ownRule();
    for (let i = 0; i < 5; i += 1) {
      await harness.send(host, rule.metric, [
        [-50 + 4 * i, 95],
        [-48 + 4 * i, 5],
      ]);
      await harness.begin();
    }
    const ids = (await harness.alerts(rule.id)).map(({ id }) => id);
    const emitted = (await harness.events())
      .filter(({ subject }) => ids.includes(subject))
      .map(({ type }) => type);
    const firedAndResolved = ['alert.fired', 'alert.resolved'];
    expect(emitted).toEqual([
      ...firedAndResolved,
      ...firedAndResolved,
      ...firedAndResolved,
      'alert.flapping',
      ...firedAndResolved,
      ...firedAndResolved,
    ]);
  });

  test('counts breaches while it recovers as flaps', async () => {
    const { host, rule } = await harness.ownRule({ keep_firing_minutes: 5 });
    for (let minute = -20; minute < -12; minute += 1)
      await harness.send(host, rule.metric, [[minute, minute % 2 === 0 ? 95 : 5]]);
    const [alert] = await harness.alerts(rule.id);
    expect(alert).toMatchObject({ flap_count: 3, status: 'active' });
    expect(await harness.typesOf(alert?.id)).toEqual(['alert.fired', 'alert.flapping']);
  });

  test('counts flaps by severity, over restarts too, and names the severity in its event', async () => {
    const host = harness.newHost();
    const now = { duration_minutes: 0 };
    const thresholds = [levelOf('warning', 80, now), levelOf('critical', 95, now)];
    const rule = await harness.rule({ ...only(host), threshold: null, thresholds });
    for (const [i, value] of [85, 85, 99, 99, 85, 99].entries()) {
      await harness.send(host, rule.metric, [
        [-50 + 4 * i, value],
        [-48 + 4 * i, 5],
      ]);
      await harness.begin();
    }
    const ids = (await harness.alerts(rule.id)).map(({ id }) => id);
    const flapping = (await harness.events()).filter(
      ({ subject, type }) => ids.includes(subject) && type === 'alert.flapping',
    );
    expect(
      flapping.map(({ subject, data }) => [
        ids.indexOf(subject),
        data['flapping_severity'],
        data['alert']?.['severity'],
      ]),
    ).toEqual([
      [2, 'warning', 'critical'],
      [5, 'critical', 'critical'],
    ]);
  });
});
