import { beforeAll, describe, expect, test } from 'vitest';
import { SEEN, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const quietHost = uniqueName('e2e-no-data');
let quiet: Awaited<ReturnType<typeof ruleFor>>;
const { client } = await openScenario();
beforeAll(async () => {
  // The rule of a host that must be silent for a minute, in which other tests run.
  quiet = await ruleFor(quietHost, { metric: 'heartbeat', no_data: { policy: 'alert', after_minutes: 1 } });
  await client.ingest({ host: quietHost, metrics: { heartbeat: 1 } });
});

/** Creates a rule for one host; returns how to read its alerts. */
async function ruleFor(host: string, fields: object) {
  const body = { name: `rule of ${host}`, condition: 'greater_than', threshold: 90, duration_minutes: 0 };
  const rule = await client.expect(201, 'POST', '/alerts/rules', {
    ...body,
    scope: { hosts: [host] },
    ...fields,
  });
  // Waits until every process of the distributed topology applies the rule, within 2 s.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const listed = async (query: string) =>
    (await client.expect(200, 'GET', `/alerts?status=all&rule_id=${rule.id}${query}`)).alerts;
  return { alerts: () => listed(''), shadows: () => listed('&shadow=only') };
}

describe('containers and processes', () => {
  test('a container has a separate alert, which ends once the container is removed', async () => {
    const host = uniqueName('e2e-container');
    const { alerts } = await ruleFor(host, { metric: 'container.cpu_percent' });
    const send = (minutesAgo: number, ...names: string[]) =>
      client.ingest({
        host,
        timestamp: seconds(-60 * minutesAgo),
        metrics: {},
        docker_containers: names.map((name) => ({ name, cpu_percent: name === 'busy' ? 95 : 5 })),
      });
    await send(9, 'busy', 'calm');
    await expect.poll(alerts, SEEN).toHaveLength(1);
    expect(await alerts()).toMatchObject([{ host, subject: { kind: 'container', name: 'busy' }, value: 95 }]);
    for (const minutesAgo of [8, 7, 6]) await send(minutesAgo, 'calm');
    await expect.poll(alerts, SEEN).toMatchObject([{ status: 'resolved', resolution: 'subject_gone' }]);
  });

  test('processes of one name are evaluated by their sum', async () => {
    const host = uniqueName('e2e-process');
    const { alerts } = await ruleFor(host, { metric: 'process.memory_rss', threshold: 1_000 });
    const processes = [600, 500].map((memory_rss, pid) => ({ name: 'worker', pid, memory_rss }));
    await client.ingest({ host, metrics: {}, processes });
    await expect
      .poll(alerts, SEEN)
      .toMatchObject([{ subject: { kind: 'process', name: 'worker' }, value: 1_100 }]);
  });
});

describe('rules of several forms', () => {
  test('the severity of an alert follows the worst breached threshold, and the evidence has each step', async () => {
    const host = uniqueName('e2e-levels');
    const thresholds = [
      { severity: 'warning', threshold: 80 },
      { severity: 'critical', threshold: 95 },
    ];
    const { alerts } = await ruleFor(host, { metric: 'levelled', threshold: null, thresholds });
    const send = (secondsAgo: number, levelled: number) =>
      client.ingest({ host, timestamp: seconds(-secondsAgo), metrics: { levelled } });
    await send(50, 85);
    await expect.poll(alerts, SEEN).toMatchObject([{ severity: 'warning', threshold: 80 }]);
    await send(40, 97);
    await expect.poll(alerts, SEEN).toMatchObject([{ severity: 'critical', threshold: 95 }]);
    await expect.poll(async () => (await serviceOf(client, host)).status, SEEN).toBe('critical');
    await send(30, 10);
    await expect.poll(alerts, SEEN).toMatchObject([{ status: 'resolved' }]);
    const [alert] = await alerts();
    const evidence = await client.expect(200, 'GET', `/alerts/${alert.id}/evidence`);
    expect(
      evidence.transitions.map(({ to, reason }: { to: string; reason: string }) => [to, reason]),
    ).toEqual([
      ['firing', 'breach'],
      ['firing', 'escalated'],
      ['resolved', 'recovered'],
    ]);
    expect(evidence.samples.map(({ role, value }: { role: string; value: number }) => [role, value])).toEqual(
      [
        ['opened', 85],
        ['fired', 85],
        ['closed', 10],
      ],
    );
    expect(Date.parse(evidence.latency.fired_at)).toBeGreaterThanOrEqual(
      Date.parse(evidence.latency.received_at),
    );
  });

  test('an override exempts its hosts, and alerts of a shadow rule are listed only on request', async () => {
    const host = uniqueName('e2e-shadow');
    const overrides = [{ match: { tags: { size: 'big' } }, threshold: 97 }];
    const { alerts, shadows } = await ruleFor(host, {
      metric: 'shadowed',
      mode: 'shadow',
      severity: 'critical',
      overrides,
    });
    const send = (secondsAgo: number, shadowed: number) =>
      client.ingest({ host, timestamp: seconds(-secondsAgo), metrics: { shadowed }, tags: { size: 'big' } });
    await send(50, 95);
    await send(40, 98);
    await expect.poll(shadows, SEEN).toMatchObject([{ shadow: true, threshold: 97, value_at_fire: 98 }]);
    expect(await alerts()).toEqual([]);
    expect((await serviceOf(client, host)).status).toBe('healthy');
  });

  test('a rule on a mean over minutes fires although no sample breaches its threshold', async () => {
    const host = uniqueName('e2e-mean');
    const transform = { kind: 'average', over_minutes: 10 };
    const { alerts } = await ruleFor(host, { metric: 'jittery', transform, threshold: 50 });
    const values = [100, 10, 100, 10, 100, 40];
    await client.ingest(
      values.map((jittery, index) => ({
        host,
        timestamp: seconds(-60 * (14 - index)),
        metrics: { jittery },
      })),
    );
    await expect.poll(alerts, SEEN).toMatchObject([{ status: 'active', value_at_fire: 60 }]);
  });
});

describe('data that is no longer sent', () => {
  test('a metric that is no longer reported fires an alert without a value, which ends when the metric is back', async () => {
    const { alerts } = quiet;
    await expect
      .poll(alerts, { timeout: 110_000, interval: 1_000 })
      .toMatchObject([{ status: 'active', no_data: true, value: null }]);
    await client.ingest({ host: quietHost, metrics: { heartbeat: 1 } });
    await expect.poll(alerts, SEEN).toMatchObject([{ status: 'resolved', resolution: 'recovered' }]);
  }, 150_000);
});
