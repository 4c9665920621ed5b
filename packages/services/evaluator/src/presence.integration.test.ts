import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { overrideOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());

const MINUTES_OF_A_DAY = 1_440;
const say = (host: string, minute: number, more: Partial<Payload>) =>
  harness.send(host, 'beat', [[minute, 1]], more);

const counts = (given: Record<string, number>): Partial<Payload> => ({
  processCounts: { names: Object.keys(given), counts: Object.values(given) },
});
/** Containers as name to status, or to status and health. */
const containers = (given: Record<string, string | [status: string, health: string]>): Partial<Payload> => ({
  containers: Object.entries(given).map(([name, state]) => {
    const [status, health] = [state].flat() as [string, string?];
    return { name, status, ...(health !== undefined && { health }) };
  }),
});

/** A new host with a rule for it alone, which fires below 1 unless it says otherwise. */
async function ownRule(fields: Partial<RuleDefinition>) {
  const host = harness.newHost();
  const scope = { ...fields.scope, hosts: [host] };
  return { host, rule: await harness.rule({ condition: 'less_than', threshold: 1, ...fields, scope }) };
}

/** The alerts of a rule as "subject status", in order of the subjects. */
async function alertsOf(ruleId: string): Promise<string[]> {
  return (await harness.alerts(ruleId)).map(({ subject_name, status }) => `${subject_name} ${status}`).sort();
}

describe('processes that a rule counts', () => {
  const METRIC = 'process.count';

  test('a process that a rule names alerts once there is none, and resolves once it is back', async () => {
    const { host, rule } = await ownRule({ metric: METRIC, scope: { process: 'nginx' } });
    await say(host, -9, counts({ nginx: 3, sshd: 1 }));
    expect(await alertsOf(rule.id)).toEqual([]);
    await say(host, -8, counts({ sshd: 1 }));
    const [alert] = await harness.alerts(rule.id);
    expect(alert).toMatchObject({
      subject_kind: 'process',
      subject_name: 'nginx',
      status: 'active',
      value: 0,
    });
    expect(alert?.summary).toBe(`${host}: no process nginx is running.`);
    await say(host, -7, counts({ nginx: 1 }));
    expect(await alertsOf(rule.id)).toEqual(['nginx resolved']);
  });

  test('a named process that was never there alerts as well, also after a restart, and for as long as it is away', async () => {
    const { host, rule } = await ownRule({ metric: METRIC, scope: { process: ['nginx', 'redis'] } });
    await say(host, -2 * MINUTES_OF_A_DAY, counts({ nginx: 1 }));
    expect(await alertsOf(rule.id)).toEqual(['redis active']);
    await harness.begin();
    await say(host, -5, counts({ sshd: 1 }));
    await say(host, -4, counts({ sshd: 1 }));
    expect(await alertsOf(rule.id)).toEqual(['nginx active', 'redis active']);
  });

  test('fewer than wanted alert, by an override for one of the names', async () => {
    const { host, rule } = await ownRule({
      metric: METRIC,
      scope: { process: ['worker', 'web'] },
      overrides: [overrideOf({ match: { process: 'worker' }, threshold: 4 })],
    });
    await say(host, -9, counts({ worker: 4, web: 1 }));
    expect(await alertsOf(rule.id)).toEqual([]);
    await say(host, -8, counts({ worker: 3, web: 1 }));
    const [alert] = await harness.alerts(rule.id);
    expect(alert?.summary).toBe(`${host}, process worker: process.count is 3, below 4.`);
  });

  test('with a pattern, the names that were there are known: one that ends alerts, and is released after a day', async () => {
    const { host, rule } = await ownRule({ metric: METRIC, scope: { process: 'job-*' } });
    await say(host, -2 * MINUTES_OF_A_DAY, counts({ 'job-a': 1, 'job-b': 1, other: 1 }));
    await say(host, -2 * MINUTES_OF_A_DAY + 1, counts({ 'job-b': 1 }));
    expect(await alertsOf(rule.id)).toEqual(['job-a active']);
    await say(host, -MINUTES_OF_A_DAY, counts({ 'job-b': 1 }));
    expect(await alertsOf(rule.id)).toEqual(['job-a active']);
    await say(host, -MINUTES_OF_A_DAY + 2, counts({ 'job-b': 1 }));
    const [alert] = await harness.alerts(rule.id);
    expect(alert).toMatchObject({ status: 'resolved', resolution: 'subject_gone' });
    await say(host, -MINUTES_OF_A_DAY + 3, counts({ 'job-b': 1 }));
    expect(await harness.alerts(rule.id)).toHaveLength(1);
  });

  test('without counts the list of processes is counted, and a payload with neither says nothing', async () => {
    const { host, rule } = await ownRule({ metric: METRIC, scope: { process: 'node' } });
    await say(host, -9, {});
    expect(await alertsOf(rule.id)).toEqual([]);
    await say(host, -8, { processes: [{ name: 'node', pid: 1 }] });
    await say(host, -7, { processes: [{ name: 'bash', pid: 2 }] });
    expect(await alertsOf(rule.id)).toEqual(['node active']);
  });

  test('a breach must last, and an older payload changes nothing', async () => {
    const { host, rule } = await ownRule({
      metric: METRIC,
      duration_minutes: 3,
      scope: { process: 'nginx' },
    });
    await say(host, -9, counts({ nginx: 1 }));
    await say(host, -8, counts({}));
    await say(host, -7, counts({}));
    await say(host, -10, counts({}));
    expect(await alertsOf(rule.id)).toEqual([]);
    await say(host, -5, counts({}));
    expect(await alertsOf(rule.id)).toEqual(['nginx active']);
  });

  test('rules on what processes use go by the list, whatever the counts say', async () => {
    const { host, rule } = await ownRule({
      metric: 'process.cpu_percent',
      condition: 'greater_than',
      threshold: 90,
    });
    const busy = { processes: [{ name: 'node', pid: 1, cpu_percent: 95 }] };
    await say(host, -9, { ...busy, ...counts({ node: 1 }) });
    expect(await alertsOf(rule.id)).toEqual(['node active']);
    for (const minute of [-8, -7, -6])
      await say(host, minute, {
        processes: [{ name: 'bash', pid: 2, cpu_percent: 1 }],
        ...counts({ node: 1 }),
      });
    expect((await harness.alerts(rule.id))[0]).toMatchObject({ resolution: 'subject_gone' });
  });
});

describe('containers that run', () => {
  const METRIC = 'container.running';

  test('one that is stopped alerts and resolves once it runs, also where it was never seen running', async () => {
    const { host, rule } = await ownRule({ metric: METRIC });
    await say(host, -9, containers({ api: 'running', db: 'exited' }));
    expect(await alertsOf(rule.id)).toEqual(['db active']);
    await say(host, -8, containers({ api: 'paused', db: 'running' }));
    expect(await alertsOf(rule.id)).toEqual(['api active', 'db resolved']);
    expect((await harness.alerts(rule.id)).at(-1)?.summary).toBe(`${host}: container api is not running.`);
  });

  test('one that is removed alerts where a rule names it, and is gone where none does', async () => {
    const named = await ownRule({ metric: METRIC, scope: { container: 'api' } });
    const all = await ownRule({ metric: METRIC });
    for (const { host } of [named, all]) {
      await say(host, -9, containers({ api: 'running', db: 'running' }));
      for (const minute of [-8, -7, -6, -5]) await say(host, minute, containers({ db: 'running' }));
    }
    expect(await alertsOf(named.rule.id)).toEqual(['api active']);
    expect(await alertsOf(all.rule.id)).toEqual([]);
  });

  test('one that was renamed is another container', async () => {
    const { host, rule } = await ownRule({ metric: METRIC });
    await say(host, -9, containers({ api: 'running' }));
    for (const minute of [-8, -7, -6, -5]) await say(host, minute, containers({ 'api-old': 'running' }));
    expect(await alertsOf(rule.id)).toEqual([]);
  });

  test('a number that is sent counts more than the status', async () => {
    const { host, rule } = await ownRule({ metric: METRIC });
    await say(host, -9, { containers: [{ name: 'api', status: 'running', running: 0 }] });
    expect(await alertsOf(rule.id)).toEqual(['api active']);
  });

  test('an override leaves containers out, and payloads without containers say nothing', async () => {
    const { host, rule } = await ownRule({
      metric: METRIC,
      overrides: [overrideOf({ match: { container: 'job-*' }, enabled: false })],
    });
    await say(host, -9, containers({ 'job-1': 'exited', api: 'running' }));
    await say(host, -8, {});
    expect(await alertsOf(rule.id)).toEqual([]);
    await say(host, -7, containers({ 'job-1': 'exited', api: 'exited' }));
    expect(await alertsOf(rule.id)).toEqual(['api active']);
  });
});

test('a container whose health check fails alerts, and one without health is not evaluated', async () => {
  const { host, rule } = await ownRule({
    metric: 'container.unhealthy',
    condition: 'greater_than',
    threshold: 0,
  });
  await say(
    host,
    -9,
    containers({ api: ['running', 'unhealthy'], db: ['running', 'starting'], job: 'running' }),
  );
  expect(await alertsOf(rule.id)).toEqual(['api active']);
  expect((await harness.alerts(rule.id))[0]?.summary).toBe(`${host}: container api is unhealthy.`);
  await say(host, -8, containers({ api: ['running', 'healthy'] }));
  expect(await alertsOf(rule.id)).toEqual(['api resolved']);
});

test('restarts within some minutes alert, and a container that is made again counts from 0', async () => {
  const { host, rule } = await ownRule({
    metric: 'container.restart_count',
    transform: { kind: 'change', over_minutes: 10 },
    condition: 'greater_than',
    threshold: 2,
  });
  const restarted = (count: number) => ({ containers: [{ name: 'api', restart_count: count }] });
  for (const [minute, count] of [
    [-30, 7],
    [-25, 7],
    [-24, 0],
    [-23, 2],
  ] as const)
    await say(host, minute, restarted(count));
  expect(await alertsOf(rule.id)).toEqual([]);
  await say(host, -22, restarted(3));
  expect(await alertsOf(rule.id)).toEqual(['api active']);
});
