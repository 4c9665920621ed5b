import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { levelOf, overrideOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

/** A payload's containers with their CPU usage. */
const containers = (...cpu: [name: string, cpu: number][]): { containers: Container[] } => ({
  containers: cpu.map(([name, cpu_percent]) => ({ name, cpu_percent })),
});
const processes = (...cpu: [name: string, cpu: number][]): { processes: ProcessInfo[] } => ({
  processes: cpu.map(([name, cpu_percent], pid) => ({ name, pid, cpu_percent })),
});
const say = (host: string, minute: number, more: object) => harness.send(host, 'beat', [[minute, 1]], more);

describe('containers', () => {
  test('each container has an alert of its own, and the host is not evaluated by a rule on containers', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'container.cpu_percent', severity: 'critical' });
    await harness.send(
      host,
      'container.cpu_percent',
      [[-9, 99]],
      containers(['web', 95], ['db', 5], ['api', 96]),
    );
    expect(
      (await harness.alerts(rule.id)).map((alert) => [alert.subject_kind, alert.subject_name, alert.value]),
    ).toEqual(
      expect.arrayContaining([
        ['container', 'api', 96],
        ['container', 'web', 95],
      ]),
    );
    expect(await harness.alerts(rule.id)).toHaveLength(2);
    expect(await harness.service(host)).toMatchObject({ status: 'critical', active_critical: 2 });
    await say(host, -8, containers(['web', 5], ['db', 5], ['api', 96]));
    expect(
      (await harness.alerts(rule.id)).map(({ subject_name, status }) => `${subject_name} ${status}`).sort(),
    ).toEqual([...['api active', 'web resolved']]);
    const [alert] = await harness.alerts(rule.id);
    expect(alert?.summary).toContain(`${host}, container`);
  });

  test('a numeric field that a container reports beyond the known ones is evaluated', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'container.restarts', threshold: 2 });
    await say(host, -1, { containers: [{ name: 'web', restarts: 3 }] });
    expect(await harness.alerts(rule.id)).toHaveLength(1);
  });

  test('three payloads in a row without a container resolve its alert; payloads that report no containers at all do not count', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'container.cpu_percent' });
    await say(host, -20, containers(['web', 95], ['db', 5]));
    await say(host, -19, containers(['db', 5]));
    await say(host, -18, containers(['db', 5]));
    await say(host, -17, {});
    await harness.begin();
    expect((await harness.alerts(rule.id))[0]).toMatchObject({ status: 'active' });
    await say(host, -16, containers());
    expect((await harness.alerts(rule.id))[0]).toMatchObject({
      status: 'resolved',
      resolution: 'subject_gone',
      resolved_at: harness.now - 16 * 60_000,
      value: 95,
    });
    await say(host, -15, containers(['web', 96]));
    expect(await harness.alerts(rule.id)).toHaveLength(2);
  });

  test('a payload that is sent twice counts once as missing a container', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'container.cpu_percent' });
    await say(host, -20, containers(['web', 95]));
    for (const minute of [-19, -19, -19, -18]) await say(host, minute, containers());
    expect((await harness.alerts(rule.id)).map(({ status }) => status)).toEqual(['active']);
    await say(host, -17, containers());
    expect((await harness.alerts(rule.id)).map(({ status }) => status)).toEqual(['resolved']);
  });

  test('a container that is missing from two payloads and comes back keeps its alert', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'container.cpu_percent' });
    await say(host, -20, containers(['web', 95]));
    for (const minute of [-19, -18]) await say(host, minute, containers());
    await say(host, -17, containers(['web', 95]));
    for (const minute of [-16, -15]) await say(host, minute, containers());
    expect((await harness.alerts(rule.id)).map(({ status }) => status)).toEqual(['active']);
  });

  test('a payload older than the last one is not evaluated for any container', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'container.cpu_percent' });
    await say(host, -5, containers(['web', 5]));
    await say(host, -6, containers(['web', 95], ['other', 95]));
    await harness.begin();
    await say(host, -7, containers(['third', 95]));
    expect(await harness.alerts(rule.id)).toHaveLength(0);
  });

  test('a pending alert of a container fires after a restart at the time at which it would have fired without', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'container.cpu_percent', duration_minutes: 3 });
    await say(host, -6, containers(['web', 95]));
    await say(host, -5, containers(['web', 96]));
    await harness.begin();
    await say(host, -4, containers(['web', 97]));
    await say(host, -3, containers(['web', 98]));
    expect((await harness.alerts(rule.id))[0]).toMatchObject({
      pending_since: harness.now - 6 * 60_000,
      fired_at: harness.now - 3 * 60_000,
    });
  });
});

describe('processes', () => {
  test('processes of one name are evaluated by their sum', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'process.cpu_percent' });
    await say(host, -3, processes(['node', 50], ['node', 45], ['idle', 80]));
    const alerts = await harness.alerts(rule.id);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({ subject_kind: 'process', subject_name: 'node', value: 95 });
    await say(host, -2, processes(['node', 50]));
    expect((await harness.alerts(rule.id))[0]).toMatchObject({ status: 'resolved', value: 50 });
  });

  test('the sum of processes that each use the largest double is finite', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'process.cpu_percent' });
    await say(host, -3, processes(['node', Number.MAX_VALUE], ['node', Number.MAX_VALUE]));
    expect(await harness.alerts(rule.id)).toMatchObject([
      { status: 'active', value: 2e290, peak_value: 2e290 },
    ]);
  });

  test('after a restart an alert of a process has the value of the last payload, and a late payload is not evaluated', async () => {
    const { host, rule } = await harness.ownRule({ metric: 'process.cpu_percent' });
    await say(host, -5, processes(['node', 95]));
    await say(host, -4, processes(['node', 99]));
    await harness.begin();
    await say(host, -4.5, processes(['node', 5]));
    expect((await harness.alerts(rule.id))[0]).toMatchObject({ status: 'active' });
    await say(host, -3, processes(['node', 5]));
    expect((await harness.alerts(rule.id))[0]).toMatchObject({ status: 'resolved', peak_value: 99 });
  });
});

describe('rules of several forms', () => {
  test('an alert carries the severity and threshold that it breaches, and an event is emitted when it escalates', async () => {
    const host = harness.newHost();
    const thresholds = [levelOf('warning', 80), levelOf('critical', 95)];
    const rule = await harness.rule({ threshold: null, thresholds });
    await harness.send(host, rule.metric, [[-9, 85]]);
    const [alert] = await harness.alerts(rule.id);
    expect(alert).toMatchObject({ severity: 'warning', threshold: 80 });
    await harness.begin();
    await harness.send(host, rule.metric, [[-8, 97]]);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { id: alert?.id, severity: 'critical', threshold: 95 },
    ]);
    expect(await harness.service(host)).toMatchObject({
      status: 'critical',
      active_critical: 1,
      active_warning: 0,
    });
    await harness.begin();
    await harness.send(host, rule.metric, [[-7, 85]]);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { id: alert?.id, severity: 'warning', status: 'active' },
    ]);
    const emitted = (await harness.events()).filter((event) => event.subject === alert?.id);
    expect(emitted.map(({ type, data }) => [type, data['alert']?.['severity']])).toEqual([
      ...[
        ['alert.fired', 'warning'],
        ['alert.escalated', 'critical'],
      ],
    ]);
  });

  test('an override evaluates its hosts by its own threshold, and an override that excludes hosts ends their alerts', async () => {
    const [big, small] = [harness.newHost(), harness.newHost()];
    const match = { hosts: [big] };
    const rule = await harness.rule({ overrides: [overrideOf({ match, threshold: 97 })] });
    for (const host of [big, small]) await harness.send(host, rule.metric, [[-9, 95]]);
    expect((await harness.alerts(rule.id)).map(({ host }) => host)).toEqual([small]);
    await harness.send(big, rule.metric, [[-8, 98]]);
    expect((await harness.alerts(rule.id)).find(({ host }) => host === big)).toMatchObject({ threshold: 97 });
    await harness.edit(rule.id, { overrides: [overrideOf({ match, enabled: false })] });
    await harness.settled();
    expect(
      (await harness.alerts(rule.id)).map(({ host, status, resolution }) => [host, status, resolution]),
    ).toEqual(
      expect.arrayContaining([
        [big, 'resolved', 'rule_changed'],
        [small, 'active', null],
      ]),
    );
  });

  test('a shadow rule records alerts and changes neither health nor events', async () => {
    const { host, rule } = await harness.hostAndRule({ mode: 'shadow', severity: 'critical' });
    await harness.send(host, rule.metric, [[-9, 95]]);
    const [alert] = await harness.alerts(rule.id);
    expect(alert).toMatchObject({ shadow: true, status: 'active' });
    await harness.begin();
    await harness.send(host, rule.metric, [[-8, 5]]);
    expect((await harness.alerts(rule.id))[0]).toMatchObject({ shadow: true, status: 'resolved' });
    expect(await harness.service(host)).toMatchObject({ status: 'healthy', active_critical: 0 });
    expect((await harness.events()).filter((event) => event.subject === alert?.id)).toEqual([]);
  });

  test.each([false, true])(
    'switching a rule into or out of shadow mode ends its alert and begins another, restarted: %s',
    async (restarted) => {
      const { host, rule } = await harness.hostAndRule({ mode: 'shadow', severity: 'critical' });
      const emitted = async () =>
        (await harness.events())
          .filter(({ data }) => data['alert']?.['rule_id'] === rule.id)
          .map(({ type, data }) => [type, data['alert']?.['resolution']]);
      const alerts = async () =>
        (await harness.alerts(rule.id)).map(({ shadow, status, resolution }) => [shadow, status, resolution]);
      await harness.send(host, rule.metric, [[-9, 95]]);
      await harness.edit(rule.id, { mode: 'active' });
      if (restarted) await harness.begin();
      await harness.send(host, rule.metric, [[-8, 96]]);
      expect(await alerts()).toEqual([
        [true, 'resolved', 'rule_changed'],
        [false, 'active', null],
      ]);
      expect(await emitted()).toEqual([['alert.fired', null]]);
      expect(await harness.service(host)).toMatchObject({ status: 'critical', active_critical: 1 });
      await harness.edit(rule.id, { mode: 'shadow' });
      if (restarted) await harness.begin();
      await harness.send(host, rule.metric, [[-7, 97]]);
      expect((await alerts()).slice(1)).toEqual([
        [false, 'resolved', 'rule_changed'],
        [true, 'active', null],
      ]);
      expect((await emitted()).slice(1)).toEqual([['alert.resolved', 'rule_changed']]);
      expect(await harness.service(host)).toMatchObject({ status: 'healthy', active_critical: 0 });
    },
  );
});

describe('derived values', () => {
  const transform = { kind: 'average', over_minutes: 10 } as const;

  test('a rule evaluates the mean of the last minutes beside a rule on the samples themselves', async () => {
    const host = harness.newHost();
    const mean = await harness.rule({ transform, threshold: 50 });
    const plain = await harness.rule({ metric: mean.metric, threshold: 1_000 });
    await harness.send(host, mean.metric, [
      [-20, 0],
      [-16, 200],
      [-15, 40],
      [-14, 20],
    ]);
    const [alert] = await harness.alerts(mean.id);
    expect(alert).toMatchObject({ fired_at: harness.now - 15 * 60_000, value_at_fire: 80 });
    expect(alert?.summary).toContain(`the average of ${mean.metric} over 10 minutes is 80`);
    expect(await harness.alerts(plain.id)).toHaveLength(0);
  });

  test('a restart restores the window of a derived value and leaves its alert unchanged', async () => {
    const [host, other] = [harness.newHost(), harness.newHost()];
    const rule = await harness.rule({ transform, threshold: 50 });
    for (const name of [host, other])
      await harness.send(name, rule.metric, [
        [-20, 10],
        [-16, 90],
        [-15, 50],
      ]);
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.begin();
    await harness.send(host, rule.metric, [[-14, 90]]);
    expect(await harness.alerts(rule.id)).toMatchObject([
      { host, value_at_fire: 60, fired_at: harness.now - 14 * 60_000 },
    ]);
    await harness.begin();
    await harness.send(host, rule.metric, [[-13, 10]]);
    expect(await harness.alerts(rule.id)).toMatchObject([{ host, status: 'resolved', peak_value: 60 }]);
  });

  test('a restart restores the window of a process that has no stored state', async () => {
    const { host, rule } = await harness.ownRule({
      metric: 'process.cpu_percent',
      transform,
      threshold: 50,
    });
    for (const [minute, cpu] of [
      [-20, 10],
      [-16, 90],
      [-15, 50],
    ] as const)
      await say(host, minute, processes(['worker', cpu], ['idle', 1]));
    expect(await harness.alerts(rule.id)).toHaveLength(0);
    await harness.begin();
    await say(host, -14, processes(['worker', 90]));
    expect(await harness.alerts(rule.id)).toMatchObject([
      { subject_name: 'worker', value_at_fire: 60, fired_at: harness.now - 14 * 60_000 },
    ]);
  });

  test('restarts do not change which events are emitted for processes that come and go', async () => {
    // Payloads from which one process is missing five times in a row, which ends it, and the other twice.
    const payloadAt = (step: number) =>
      processes(
        ...(step % 17 < 12 ? [['worker', 45 + ((step * 37) % 60)] as [string, number]] : []),
        ...(step % 11 < 9 ? [['other', 20 + ((step * 29) % 100)] as [string, number]] : []),
      );
    const emitted = async (restartEvery: number) => {
      const { host, rule } = await harness.ownRule({
        metric: 'process.cpu_percent',
        transform,
        threshold: 60,
      });
      for (let step = 0; step < 60; step += 1) {
        await say(host, step - 70, payloadAt(step));
        if (step % restartEvery === restartEvery - 1) await harness.begin();
      }
      const alerts = await harness.alerts(rule.id);
      return alerts.map(
        ({ subject_name: name, fired_at: fired, resolved_at: resolved, resolution, ...row }) => ({
          name,
          fired,
          resolved,
          resolution,
          value: row.value_at_fire,
        }),
      );
    };
    const undisturbed = await emitted(1_000);
    const endings = new Set(undisturbed.map(({ name, resolution }) => `${name} ${resolution}`));
    for (const ending of ['worker subject_gone', 'other recovered']) expect(endings).toContain(ending);
    expect(await emitted(3)).toEqual(undisturbed);
  });

  test('changing the transform of a rule resolves the alerts that the old transform fired', async () => {
    const { host, rule } = await harness.hostAndRule({ transform, threshold: 50 });
    await harness.send(host, rule.metric, [
      [-20, 90],
      [-14, 90],
    ]);
    await harness.edit(rule.id, { transform: { kind: 'minimum', over_minutes: 10 } });
    await harness.begin();
    await harness.settled();
    expect(await harness.alerts(rule.id)).toMatchObject([{ status: 'resolved', resolution: 'rule_changed' }]);
  });
});
