import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EvaluatorBed } from './evaluator.bed.ts';

let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
afterAll(() => bed?.close());

let hosts = 0;
const newHost = () => `host-${++hosts}`;
const only = (host: string) => ({ scope: { hosts: [host] } });

/** Containers by their CPU. */
const containers = (...cpu: [name: string, cpu: number][]): { containers: Container[] } => ({
  containers: cpu.map(([name, cpu_percent]) => ({ name, cpu_percent })),
});
const processes = (...cpu: [name: string, cpu: number][]): { processes: ProcessInfo[] } => ({
  processes: cpu.map(([name, cpu_percent], pid) => ({ name, pid, cpu_percent })),
});
const say = (host: string, minute: number, more: object) => bed.send(host, 'beat', [[minute, 1]], more);

describe('containers', () => {
  test('each has an alert of its own, and the host beside them is not judged', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.cpu_percent', ...only(host), severity: 'critical' });
    await bed.send(
      host,
      'container.cpu_percent',
      [[-9, 99]],
      containers(['web', 95], ['db', 5], ['api', 96]),
    );
    expect(
      (await bed.alerts(rule.id)).map((alert) => [alert.subject_kind, alert.subject_name, alert.value]),
    ).toEqual(
      expect.arrayContaining([
        ['container', 'api', 96],
        ['container', 'web', 95],
      ]),
    );
    expect(await bed.alerts(rule.id)).toHaveLength(2);
    expect(await bed.service(host)).toMatchObject({ status: 'critical', active_critical: 2 });
    await say(host, -8, containers(['web', 5], ['db', 5], ['api', 96]));
    expect(
      (await bed.alerts(rule.id)).map(({ subject_name, status }) => `${subject_name} ${status}`).sort(),
    ).toEqual([...['api active', 'web resolved']]);
    const [alert] = await bed.alerts(rule.id);
    expect(alert?.summary).toContain(`${host}, container`);
  });

  test('a further field is judged as any other', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.restarts', threshold: 2, ...only(host) });
    await say(host, -1, { containers: [{ name: 'web', restarts: 3 }] });
    expect(await bed.alerts(rule.id)).toHaveLength(1);
  });

  test('three payloads in a row without it resolve its alert; those without any containers do not count', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.cpu_percent', ...only(host) });
    await say(host, -20, containers(['web', 95], ['db', 5]));
    await say(host, -19, containers(['db', 5]));
    await say(host, -18, containers(['db', 5]));
    await say(host, -17, {});
    await bed.begin();
    expect((await bed.alerts(rule.id))[0]).toMatchObject({ status: 'active' });
    await say(host, -16, containers());
    expect((await bed.alerts(rule.id))[0]).toMatchObject({
      ...{ status: 'resolved', resolution: 'subject_gone', resolved_at: bed.now - 16 * 60_000, value: 95 },
    });
    await say(host, -15, containers(['web', 96]));
    expect(await bed.alerts(rule.id)).toHaveLength(2);
  });

  test('a payload that is sent again counts once', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.cpu_percent', ...only(host) });
    await say(host, -20, containers(['web', 95]));
    for (const minute of [-19, -19, -19, -18]) await say(host, minute, containers());
    expect((await bed.alerts(rule.id)).map(({ status }) => status)).toEqual(['active']);
    await say(host, -17, containers());
    expect((await bed.alerts(rule.id)).map(({ status }) => status)).toEqual(['resolved']);
  });

  test('one that comes back in time keeps its alert', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.cpu_percent', ...only(host) });
    await say(host, -20, containers(['web', 95]));
    for (const minute of [-19, -18]) await say(host, minute, containers());
    await say(host, -17, containers(['web', 95]));
    for (const minute of [-16, -15]) await say(host, minute, containers());
    expect((await bed.alerts(rule.id)).map(({ status }) => status)).toEqual(['active']);
  });

  test('a late payload is not judged, of whatever container it tells', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.cpu_percent', ...only(host) });
    await say(host, -5, containers(['web', 5]));
    await say(host, -6, containers(['web', 95], ['other', 95]));
    await bed.begin();
    await say(host, -7, containers(['third', 95]));
    expect(await bed.alerts(rule.id)).toHaveLength(0);
  });

  test('a pending container fires after a restart, at the time that it would have', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.cpu_percent', duration_minutes: 3, ...only(host) });
    await say(host, -6, containers(['web', 95]));
    await say(host, -5, containers(['web', 96]));
    await bed.begin();
    await say(host, -4, containers(['web', 97]));
    await say(host, -3, containers(['web', 98]));
    expect((await bed.alerts(rule.id))[0]).toMatchObject({
      pending_since: bed.now - 6 * 60_000,
      fired_at: bed.now - 3 * 60_000,
    });
  });
});

describe('processes', () => {
  test('those of one name are judged by their sum', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'process.cpu_percent', ...only(host) });
    await say(host, -3, processes(['node', 50], ['node', 45], ['idle', 80]));
    const alerts = await bed.alerts(rule.id);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({ subject_kind: 'process', subject_name: 'node', value: 95 });
    await say(host, -2, processes(['node', 50]));
    expect((await bed.alerts(rule.id))[0]).toMatchObject({ status: 'resolved', value: 50 });
  });

  test('after a restart the value is that of the last payload, and a late one is not judged', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'process.cpu_percent', ...only(host) });
    await say(host, -5, processes(['node', 95]));
    await say(host, -4, processes(['node', 99]));
    await bed.begin();
    await say(host, -4.5, processes(['node', 5]));
    expect((await bed.alerts(rule.id))[0]).toMatchObject({ status: 'active' });
    await say(host, -3, processes(['node', 5]));
    expect((await bed.alerts(rule.id))[0]).toMatchObject({ status: 'resolved', peak_value: 99 });
  });
});

describe('rules of several forms', () => {
  test('an alert says the severity and threshold that hold, and tells when it gets worse', async () => {
    const host = newHost();
    const level = { threshold_max: null, recovery_threshold: null, duration_minutes: null };
    const rule = await bed.rule({
      threshold: null,
      thresholds: [
        { ...level, severity: 'warning', threshold: 80 },
        { ...level, severity: 'critical', threshold: 95 },
      ],
    });
    await bed.send(host, rule.metric, [[-9, 85]]);
    const [alert] = await bed.alerts(rule.id);
    expect(alert).toMatchObject({ severity: 'warning', threshold: 80 });
    await bed.begin();
    await bed.send(host, rule.metric, [[-8, 97]]);
    expect(await bed.alerts(rule.id)).toMatchObject([{ id: alert?.id, severity: 'critical', threshold: 95 }]);
    expect(await bed.service(host)).toMatchObject({
      status: 'critical',
      active_critical: 1,
      active_warning: 0,
    });
    await bed.begin();
    await bed.send(host, rule.metric, [[-7, 85]]);
    expect(await bed.alerts(rule.id)).toMatchObject([
      { id: alert?.id, severity: 'warning', status: 'active' },
    ]);
    const told = (await bed.events()).filter((event) => event.subject === alert?.id);
    expect(told.map(({ type, data }) => [type, data['alert']?.['severity']])).toEqual([
      ...[
        ['alert.fired', 'warning'],
        ['alert.escalated', 'critical'],
      ],
    ]);
  });

  test('an override judges its hosts by its own threshold, and one that leaves them out ends their alerts', async () => {
    const [big, small] = [newHost(), newHost()];
    const unset = { threshold_max: null, recovery_threshold: null, duration_minutes: null, severity: null };
    const override = { ...unset, keep_firing_minutes: null, thresholds: null, match: { hosts: [big] } };
    const rule = await bed.rule({ overrides: [{ ...override, enabled: true, threshold: 97 }] });
    for (const host of [big, small]) await bed.send(host, rule.metric, [[-9, 95]]);
    expect((await bed.alerts(rule.id)).map(({ host }) => host)).toEqual([small]);
    await bed.send(big, rule.metric, [[-8, 98]]);
    expect((await bed.alerts(rule.id)).find(({ host }) => host === big)).toMatchObject({ threshold: 97 });
    await bed.edit(rule.id, { overrides: [{ ...override, enabled: false, threshold: null }] });
    await bed.settled();
    expect(
      (await bed.alerts(rule.id)).map(({ host, status, resolution }) => [host, status, resolution]),
    ).toEqual(
      expect.arrayContaining([
        [big, 'resolved', 'rule_changed'],
        [small, 'active', null],
      ]),
    );
  });

  test('a shadow rule records, and touches neither health nor events', async () => {
    const host = newHost();
    const rule = await bed.rule({ mode: 'shadow', severity: 'critical' });
    await bed.send(host, rule.metric, [[-9, 95]]);
    const [alert] = await bed.alerts(rule.id);
    expect(alert).toMatchObject({ shadow: true, status: 'active' });
    await bed.begin();
    await bed.send(host, rule.metric, [[-8, 5]]);
    expect((await bed.alerts(rule.id))[0]).toMatchObject({ shadow: true, status: 'resolved' });
    expect(await bed.service(host)).toMatchObject({ status: 'healthy', active_critical: 0 });
    expect((await bed.events()).filter((event) => event.subject === alert?.id)).toEqual([]);
  });

  test.each([false, true])(
    'a rule that is tried out no longer, or only from now on, ends its alert and begins another, restarted: %s',
    async (restarted) => {
      const host = newHost();
      const rule = await bed.rule({ mode: 'shadow', severity: 'critical' });
      const told = async () =>
        (await bed.events())
          .filter(({ data }) => data['alert']?.['rule_id'] === rule.id)
          .map(({ type, data }) => [type, data['alert']?.['resolution']]);
      const alerts = async () =>
        (await bed.alerts(rule.id)).map(({ shadow, status, resolution }) => [shadow, status, resolution]);
      await bed.send(host, rule.metric, [[-9, 95]]);
      await bed.edit(rule.id, { mode: 'active' });
      if (restarted) await bed.begin();
      await bed.send(host, rule.metric, [[-8, 96]]);
      expect(await alerts()).toEqual([
        [true, 'resolved', 'rule_changed'],
        [false, 'active', null],
      ]);
      expect(await told()).toEqual([['alert.fired', null]]);
      expect(await bed.service(host)).toMatchObject({ status: 'critical', active_critical: 1 });
      await bed.edit(rule.id, { mode: 'shadow' });
      if (restarted) await bed.begin();
      await bed.send(host, rule.metric, [[-7, 97]]);
      expect((await alerts()).slice(1)).toEqual([
        [false, 'resolved', 'rule_changed'],
        [true, 'active', null],
      ]);
      expect((await told()).slice(1)).toEqual([['alert.resolved', 'rule_changed']]);
      expect(await bed.service(host)).toMatchObject({ status: 'healthy', active_critical: 0 });
    },
  );
});

describe('derived values', () => {
  const transform = { kind: 'average', over_minutes: 10 } as const;

  test('the mean of the last minutes is judged, beside a rule on the samples', async () => {
    const host = newHost();
    const mean = await bed.rule({ transform, threshold: 50 });
    const plain = await bed.rule({ metric: mean.metric, threshold: 1_000 });
    await bed.send(host, mean.metric, [
      [-20, 0],
      [-16, 200],
      [-15, 40],
      [-14, 20],
    ]);
    const [alert] = await bed.alerts(mean.id);
    expect(alert).toMatchObject({ fired_at: bed.now - 15 * 60_000, value_at_fire: 80 });
    expect(alert?.summary).toContain(`the average of ${mean.metric} over 10 minutes is 80`);
    expect(await bed.alerts(plain.id)).toHaveLength(0);
  });

  test('a restart neither forgets the window nor moves the alert', async () => {
    const [host, other] = [newHost(), newHost()];
    const rule = await bed.rule({ transform, threshold: 50 });
    for (const name of [host, other])
      await bed.send(name, rule.metric, [
        [-20, 10],
        [-16, 90],
        [-15, 50],
      ]);
    expect(await bed.alerts(rule.id)).toHaveLength(0);
    await bed.begin();
    await bed.send(host, rule.metric, [[-14, 90]]);
    expect(await bed.alerts(rule.id)).toMatchObject([
      { host, value_at_fire: 60, fired_at: bed.now - 14 * 60_000 },
    ]);
    await bed.begin();
    await bed.send(host, rule.metric, [[-13, 10]]);
    expect(await bed.alerts(rule.id)).toMatchObject([{ host, status: 'resolved', peak_value: 60 }]);
  });

  test('a restart does not forget the window of a process that nothing is stored of', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'process.cpu_percent', transform, threshold: 50, ...only(host) });
    for (const [minute, cpu] of [
      [-20, 10],
      [-16, 90],
      [-15, 50],
    ] as const)
      await say(host, minute, processes(['worker', cpu], ['idle', 1]));
    expect(await bed.alerts(rule.id)).toHaveLength(0);
    await bed.begin();
    await say(host, -14, processes(['worker', 90]));
    expect(await bed.alerts(rule.id)).toMatchObject([
      { subject_name: 'worker', value_at_fire: 60, fired_at: bed.now - 14 * 60_000 },
    ]);
  });

  test('restarts change nothing of what is told of processes that come and go', async () => {
    // One is away for five payloads at a time, which end it, and the other for two.
    const payloadAt = (step: number) =>
      processes(
        ...(step % 17 < 12 ? [['worker', 45 + ((step * 37) % 60)] as [string, number]] : []),
        ...(step % 11 < 9 ? [['other', 20 + ((step * 29) % 100)] as [string, number]] : []),
      );
    const told = async (restartEvery: number) => {
      const host = newHost();
      const rule = await bed.rule({ metric: 'process.cpu_percent', transform, threshold: 60, ...only(host) });
      for (let step = 0; step < 60; step += 1) {
        await say(host, step - 70, payloadAt(step));
        if (step % restartEvery === restartEvery - 1) await bed.begin();
      }
      const alerts = await bed.alerts(rule.id);
      return alerts.map(
        ({ subject_name: name, fired_at: fired, resolved_at: resolved, resolution, ...row }) => ({
          ...{ name, fired, resolved, resolution, value: row.value_at_fire },
        }),
      );
    };
    const undisturbed = await told(1_000);
    const endings = new Set(undisturbed.map(({ name, resolution }) => `${name} ${resolution}`));
    for (const ending of ['worker subject_gone', 'other recovered']) expect(endings).toContain(ending);
    expect(await told(3)).toEqual(undisturbed);
  });

  test('another transform is another rule: what fired by the old one resolves', async () => {
    const host = newHost();
    const rule = await bed.rule({ transform, threshold: 50 });
    await bed.send(host, rule.metric, [
      [-20, 90],
      [-14, 90],
    ]);
    await bed.edit(rule.id, { transform: { kind: 'minimum', over_minutes: 10 } });
    await bed.begin();
    await bed.settled();
    expect(await bed.alerts(rule.id)).toMatchObject([{ status: 'resolved', resolution: 'rule_changed' }]);
  });
});
