import { isServed } from '@tidewatch/contracts/console/paths';
import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { isId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

describe('an alert', () => {
  test('fires and resolves in the transaction of its samples, with record, status and events', async () => {
    const { host, rule } = await harness.hostAndRule({ severity: 'critical', duration_minutes: 2 });
    await harness.send(
      host,
      rule.metric,
      [
        [-3, 91],
        [-2, 92],
        [-1, 99],
      ],
      {
        processes: Array.from({ length: 7 }, (_, pid) => ({ name: `p${pid}`, pid, cpu_percent: pid })),
        containers: [{ name: 'api', cpu_percent: 3, memory_usage: 5 }],
      },
    );
    const [alert] = await harness.alerts(rule.id);
    expect(isId('alr', alert?.id)).toBe(true);
    expect(alert).toMatchObject({
      host,
      status: 'active',
      state: 'firing',
      severity: 'critical',
      value: 99,
      value_at_fire: 99,
      peak_value: 99,
    });
    expect(alert).toMatchObject({
      pending_since: harness.now - 3 * MINUTE_MS,
      fired_at: harness.now - MINUTE_MS,
      backfilled: false,
      rule_version: 1,
    });
    expect(alert?.context.processes.map((process: { pid: number }) => process.pid)).toEqual([6, 5, 4, 3, 2]);
    expect(alert?.context.containers).toEqual([
      { name: 'api', image: null, status: null, health: null, cpu_percent: 3, memory_usage: 5 },
    ]);
    expect(await harness.service(host)).toMatchObject({
      status: 'critical',
      active_critical: 1,
      status_reasons: [{ code: 'critical_alert', alert_id: alert?.id }],
    });
    await harness.send(host, rule.metric, [[0, 7]]);
    expect((await harness.alerts(rule.id))[0]).toMatchObject({
      status: 'resolved',
      state: 'resolved',
      resolution: 'recovered',
      resolved_at: harness.now,
      value: 7,
      peak_value: 99,
    });
    expect(await harness.service(host)).toMatchObject({
      status: 'healthy',
      active_critical: 0,
      status_reasons: [],
    });
    expect(await harness.typesOf(alert?.id)).toEqual(['alert.fired', 'alert.resolved']);
    expect(await harness.store.sql`select * from rule_states where rule_id = ${rule.id}`).toHaveLength(0);
    const [fired] = (await harness.events()).filter(({ subject }) => subject === alert?.id);
    expect(fired?.data).toMatchObject({
      links: {
        alert: isServed('alert') ? `https://tidewatch.example/alerts/${alert?.id}` : null,
        runbook: null,
      },
    });
  });

  test('that resolves and fires again within one request is recorded as two alerts', async () => {
    const { host, rule } = await harness.hostAndRule({ keep_firing_minutes: 5 });
    await harness.send(host, rule.metric, [
      [-4, 95],
      [-13, 95],
      [-12, 10],
      [-11, 95],
      [-10, 10],
      [-5, 10],
    ]);
    const alerts = await harness.alerts(rule.id);
    expect(
      alerts.map((alert) => [
        alert.state,
        alert.flap_count,
        alert.fired_at - harness.now,
        alert.resolved_at && alert.resolved_at - harness.now,
      ]),
    ).toEqual([
      ['resolved', 1, -13 * MINUTE_MS, -5 * MINUTE_MS],
      ['firing', 0, -4 * MINUTE_MS, null],
    ]);
  });

  test('does not change when its samples are delivered again', async () => {
    const { host, rule } = await harness.hostAndRule({ keep_firing_minutes: 5 });
    for (let i = 0; i < 3; i += 1)
      await harness.send(host, rule.metric, [
        [-6, 95],
        [-5, 10],
        [-4, 95],
      ]);
    const alerts = await harness.alerts(rule.id);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({ state: 'firing', flap_count: 1 });
  });

  test('shows its latest value and peak shortly after the sample, and its rule when it last evaluated', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[-3, 95]]);
    await harness.send(host, rule.metric, [
      [-2, 99],
      [-1, 94],
    ]);
    await harness.settled();
    expect((await harness.alerts(rule.id))[0]).toMatchObject({
      value: 94,
      peak_value: 99,
      value_at_fire: 95,
    });
    const [activity] = await harness.store.sql`select * from rule_activity where rule_id = ${rule.id}`;
    expect(activity).toMatchObject({ pending_count: 0, firing_count: 1, last_evaluated_at: harness.now });
  });

  test('fired by an old sample is backfilled, unless ingest was stalled or the host’s clock is known to be behind', async () => {
    const rule = await harness.rule();
    const [old, stalled, behind] = [harness.newHost(), harness.newHost(), harness.newHost()];
    await harness.send(old, rule.metric, [[-16, 95]]);
    const payloads = [
      { host: stalled, time: harness.now - 16 * MINUTE_MS, ...metricsOf({ [rule.metric]: 95 }) },
    ];
    await harness.publish([harness.request(payloads, { stalledMs: 5 * MINUTE_MS })]);
    for (let i = 0; i < 10; i += 1) {
      harness.now += 1_000;
      await harness.send(behind, 'other', [[-20, 1]]);
    }
    harness.now += 1_000;
    await harness.send(behind, rule.metric, [[-20, 95]]);
    const flags = Object.fromEntries(
      (await harness.alerts(rule.id)).map((alert) => [alert.host, alert.backfilled]),
    );
    expect(flags).toEqual({ [old]: true, [stalled]: false, [behind]: false });
  });

  test('is not fired by a sample from the future; the host shows clock skew until its clock is right', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[6, 95]]);
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    expect(await harness.service(host)).toMatchObject({
      status: 'healthy',
      status_reasons: [{ code: 'clock_skew' }],
    });
    await harness.send(host, rule.metric, [[0, 95]]);
    expect(await harness.alerts(rule.id)).toHaveLength(1);
    expect((await harness.service(host))?.status_reasons).toMatchObject([{ code: 'warning_alert' }]);
  });
});

describe('an alert', () => {
  const cases: [string, (rule: { id: string }, host: string) => Promise<void>][] = [
    ['rule_deleted', (rule) => harness.deleteRule(rule.id)],
    ['rule_disabled', (rule) => harness.edit(rule.id, { enabled: false })],
    ['rule_changed', (rule) => harness.edit(rule.id, { metric: 'another' })],
    ['rule_changed', (rule) => harness.edit(rule.id, { scope: { hosts: ['nobody'] } })],
    ['service_deleted', (_, host) => harness.deleteService(host)],
  ];
  for (const [index, [resolution, act]] of cases.entries()) {
    for (const how of ['by the tick', 'by the next batch', 'after a restart'] as const) {
      test(`is resolved with ${resolution} (${index}) ${how}`, async () => {
        const { host, rule } = await harness.hostAndRule();
        const waiting = await harness.rule({ metric: rule.metric, duration_minutes: 30, name: 'waiting' });
        await harness.send(host, rule.metric, [[-1, 95]]);
        harness.now += 1_000;
        await act(rule, host);
        if (index < 4) await act(waiting, host);
        if (how === 'after a restart') await harness.begin();
        if (how === 'by the next batch') await harness.publish([{ kind: 'heartbeat', at: harness.now }]);
        else await harness.settled();
        const [alert] = await harness.alerts(rule.id);
        expect(alert).toMatchObject({ status: 'resolved', resolution, resolved_at: harness.now });
        expect(await harness.typesOf(alert?.id)).toEqual(['alert.fired', 'alert.resolved']);
        expect(
          await harness.store
            .sql`select * from rule_states where rule_id in ${harness.store.sql([rule.id, waiting.id])}`,
        ).toHaveLength(0);
        const [activity] = await harness.store.sql`select * from rule_activity where rule_id = ${rule.id}`;
        expect(activity).toMatchObject({ pending_count: 0, firing_count: 0 });
        await harness.send(host, rule.metric, [[0, 99]]);
        expect(await harness.alerts(rule.id)).toHaveLength(index === 4 ? 1 : 1);
      });
    }
  }

  test('is resolved when new tags of its host leave the scope of the rule', async () => {
    const { host, rule } = await harness.hostAndRule({ scope: { tags: { role: 'db' } } });
    await harness.send(host, rule.metric, [[-2, 95]], { tags: { role: 'db' } });
    await harness.send(host, rule.metric, [[-1, 95]], { tags: { role: 'web' } });
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved', resolution: 'rule_changed' }]);
  });
});

describe('an edit of a rule', () => {
  test('that changes the threshold keeps the alert and evaluates it by the next sample', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[-5, 95]]);
    await harness.edit(rule.id, { threshold: 97, severity: 'critical' });
    await harness.settled();
    expect(await harness.alerts(rule.id)).toMatchObject([
      { status: 'active', threshold: 90, severity: 'warning' },
    ]);
    await harness.send(host, rule.metric, [[-2, 98]]);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { status: 'active', threshold: 97, severity: 'critical', rule_version: 2 },
    ]);
    const events = (await harness.events()).filter(({ data }) => data['alert']?.['rule_id'] === rule.id);
    expect(events.map(({ type, data }) => [type, data['alert']?.['severity']])).toEqual([
      ['alert.fired', 'warning'],
      ['alert.escalated', 'critical'],
    ]);
    expect(await harness.service(host)).toMatchObject({
      status: 'critical',
      active_critical: 1,
      active_warning: 0,
    });
    await harness.send(host, rule.metric, [[-1, 95]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved' }]);
  });

  test('that enables it evaluates requests that arrive afterwards', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[-1, 5]]);
    await harness.edit(rule.id, { enabled: false });
    await harness.send(host, rule.metric, [[-1, 95]]);
    await harness.edit(rule.id, { enabled: true });
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.send(host, rule.metric, [[-3, 96]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active', value: 96 }]);
  });

  test('that creates it evaluates the first payload that arrives afterwards, even one with an older time', async () => {
    const host = harness.newHost();
    await harness.send(host, 'plain', [[-1, 95]]);
    const rule = await harness.rule({ metric: 'plain' });
    await harness.send(host, 'plain', [[-3, 95]]);
    expect(await harness.alerts(rule.id)).toHaveLength(1);
  });
});

describe('a restart of the evaluator', () => {
  test('in the middle of a rule’s duration does not change when its alert fires', async () => {
    const { host, rule } = await harness.hostAndRule({ duration_minutes: 5 });
    await harness.send(host, rule.metric, [
      [-6, 95],
      [-4, 96],
    ]);
    await harness.begin();
    await harness.send(host, rule.metric, [[-2, 97]]);
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.begin();
    await harness.send(host, rule.metric, [[-1, 98]]);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { pending_since: harness.now - 6 * MINUTE_MS, fired_at: harness.now - MINUTE_MS },
    ]);
  });

  test('restores value, peak and last evaluated time of active alert instances from samples', async () => {
    const { host, rule } = await harness.hostAndRule({ keep_firing_minutes: 10 });
    await harness.send(host, rule.metric, [[-9, 95]]);
    await harness.send(host, rule.metric, [
      [-8, 99],
      [-7, 94],
    ]);
    await harness.begin();
    await harness.send(host, rule.metric, [[-8, 10]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ state: 'firing' }]);
    await harness.send(host, rule.metric, [[-6, 10]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ state: 'recovering', value: 10, peak_value: 99 }]);
  });

  test('does not evaluate samples older than the last one of an inactive alert instance', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [
      [-5, 95],
      [-1, 10],
    ]);
    await harness.settled();
    await harness.begin();
    await harness.send(host, rule.metric, [[-2, 95]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved' }]);
  });
});

describe('a transaction that is rolled back', () => {
  test('changes nothing, and the same request is evaluated as if it came first', async () => {
    const { host, rule } = await harness.hostAndRule({ duration_minutes: 1 });
    await harness.send(host, rule.metric, [[-9, 95]], {}, { fail: true });
    expect(await harness.service(host)).toBeUndefined();
    await harness.send(host, rule.metric, [[-3, 95]]);
    await harness.send(
      host,
      rule.metric,
      [
        [-2, 95],
        [-1, 10],
      ],
      {},
      { fail: true },
    );
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.send(host, rule.metric, [
      [-2, 95],
      [-1, 10],
    ]);
    const alerts = await harness.alerts(rule.id);
    expect(alerts).toMatchObject([
      {
        status: 'resolved',
        pending_since: harness.now - 3 * MINUTE_MS,
        fired_at: harness.now - 2 * MINUTE_MS,
      },
    ]);
    expect(await harness.typesOf(alerts[0]?.id)).toEqual(['alert.fired', 'alert.resolved']);
    expect(await harness.typesOf((await harness.service(host))?.id)).toEqual(['service.registered']);
  });

  test('does not keep the alerts of a rule that was deleted meanwhile', async () => {
    const { host, rule } = await harness.hostAndRule();
    await harness.send(host, rule.metric, [[-3, 95]]);
    await harness.deleteRule(rule.id);
    await harness.send(host, rule.metric, [[-2, 95]], {}, { fail: true });
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'active' }]);
    await harness.send(host, rule.metric, [[-1, 95]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved', resolution: 'rule_deleted' }]);
  });
});

describe('heartbeats', () => {
  test('turn a silent service offline after three minutes, and its next payload turns it online', async () => {
    const host = harness.newHost();
    await harness.send(host, 'plain', [[0, 1]]);
    await harness.beat(170);
    expect((await harness.service(host))?.status).toBe('healthy');
    await harness.beat(15);
    const offline = await harness.service(host);
    expect(offline).toMatchObject({
      status: 'offline',
      status_reasons: [{ code: 'silent' }],
      status_since: harness.now,
    });
    await harness.send(host, 'plain', [[0, 1]]);
    expect((await harness.service(host))?.status).toBe('healthy');
    expect(await harness.typesOf(offline?.id)).toEqual([
      'service.registered',
      'service.offline',
      'service.online',
    ]);
  });

  test('turn no service offline within the grace period after a start, or while they are missing themselves', async () => {
    const host = harness.newHost();
    await harness.send(host, 'plain', [[0, 1]]);
    await harness.beat(170);
    await harness.begin();
    harness.now += 3_600_000;
    await harness.beat(170);
    expect((await harness.service(host))?.status).toBe('healthy');
    harness.now += 3_600_000;
    await harness.beat(3);
    expect((await harness.service(host))?.status).toBe('healthy');
    await harness.beat(20);
    expect((await harness.service(host))?.status).toBe('offline');
  });
});

test('a record of an unknown kind becomes a dead letter and the records beside it are evaluated', async () => {
  const deliveries = [{ kind: 'strange' }, { kind: 'heartbeat', at: harness.now }].map(
    (value) => ({ value, publishedAt: harness.now }) as never,
  );
  const verdicts = await harness.store.transact((tx) => harness.evaluator.consumer.handle(deliveries, tx));
  harness.evaluator.consumer.committed?.();
  expect(verdicts.map((verdict) => verdict.kind)).toEqual(['deadLetter', 'done']);
});
