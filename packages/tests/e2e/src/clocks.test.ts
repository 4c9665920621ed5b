import { expect, test } from 'vitest';
import { createRule, SEEN, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

async function alertOn(host: string): Promise<string> {
  const scope = { hosts: [host] };
  return (await createRule(client, { metric: 'cpu_percent', severity: 'info', channels: [], scope })).id;
}

async function alertsOf(ruleId: string) {
  return (await client.expect(200, 'GET', `/alerts?status=all&rule_id=${ruleId}`)).alerts;
}

test('a host whose clock is wrong by a day fires no false alert and is not silenced', async () => {
  const host = uniqueName('e2e-ahead');
  const ruleId = await alertOn(host);
  await client.ingest({ host, timestamp: seconds(86_000), metrics: { cpu_percent: 99 } });
  expect(await alertsOf(ruleId)).toEqual([]);
  const { id } = await serviceOf(client, host);
  const service = await client.expect(200, 'GET', `/services/${id}`);
  await expect
    .poll(async () => (await client.expect(200, 'GET', `/services/${id}`)).clock_skew_seconds, SEEN)
    .toBeGreaterThan(80_000);
  expect(service.metrics.cpu_percent ?? null).toBeNull();
  await client.ingest({ host, metrics: { cpu_percent: 95 } });
  await expect.poll(() => alertsOf(ruleId), SEEN).toHaveLength(1);
});

test('samples of a clock that is a quarter of an hour behind are evaluated', async () => {
  const host = uniqueName('e2e-behind');
  const ruleId = await alertOn(host);
  for (let index = 0; index < 12; index += 1)
    await client.ingest({ host, timestamp: seconds(-960 + index), metrics: { cpu_percent: 10 } });
  await client.ingest({ host, timestamp: seconds(-940), metrics: { cpu_percent: 95 } });
  await expect.poll(() => alertsOf(ruleId), SEEN).toMatchObject([{ status: 'active', backfilled: false }]);
});

test('samples after a clock jumped back are evaluated once they are newer than the last evaluated one', async () => {
  const host = uniqueName('e2e-jump');
  const ruleId = await alertOn(host);
  await client.ingest({ host, timestamp: seconds(-10), metrics: { cpu_percent: 10 } });
  await client.ingest({ host, timestamp: seconds(-100), metrics: { cpu_percent: 99 } });
  expect(await alertsOf(ruleId)).toEqual([]);
  await client.ingest({ host, timestamp: seconds(-5), metrics: { cpu_percent: 99 } });
  await expect.poll(() => alertsOf(ruleId), SEEN).toHaveLength(1);
});

test('a sample that is old on arrival fires a backfilled alert', async () => {
  const host = uniqueName('e2e-backfill');
  const ruleId = await alertOn(host);
  await client.ingest({ host, timestamp: seconds(-7_200), metrics: { cpu_percent: 99 } });
  await expect.poll(() => alertsOf(ruleId), SEEN).toMatchObject([{ backfilled: true }]);
});

test('a thousand payloads of a thousand different days are stored', async () => {
  const host = uniqueName('e2e-days');
  const days = Array.from({ length: 1_000 }, (_, index) => ({
    host,
    timestamp: new Date(Date.now() - index * 86_400_000).toISOString(),
    metrics: { cpu_percent: index % 100 },
  }));
  expect((await client.ingest(days)).body).toEqual({ status: 'ok', events_accepted: 1_000 });
  const { id } = await serviceOf(client, host);
  const path = `/services/${id}/metrics?metrics=cpu_percent&step=1d&from=${seconds(-1_001 * 86_400)}&to=${seconds(86_400)}`;
  const count = async () => {
    const { series } = await client.expect(200, 'GET', path);
    const points: { count: number }[] = series[0]?.points ?? [];
    return points.reduce((sum, point) => sum + point.count, 0);
  };
  await expect.poll(count, SEEN).toBe(1_000);
});

test('a late payload of one host does not change another host', async () => {
  const [one, other] = [uniqueName('e2e-late-a'), uniqueName('e2e-late-b')];
  const at = Date.now() - 40 * 86_400_000;
  const sample = (host: string, offset: number, value: number) => ({
    host,
    timestamp: new Date(at + offset).toISOString(),
    metrics: { v: value },
  });
  await client.ingest([sample(one, 0, 1), sample(one, 1_000, 3)]);
  const { id } = await serviceOf(client, one);
  const path = `/services/${id}/metrics?metrics=v&step=1h&from=${new Date(at - 3_600_000).toISOString()}&to=${new Date(at + 3_600_000).toISOString()}`;
  const points = async () => (await client.expect(200, 'GET', path)).series[0]?.points;
  await expect.poll(points, SEEN).toMatchObject([{ avg: 2, min: 1, max: 3, count: 2 }]);
  const before = await client.expect(200, 'GET', path);
  await client.ingest(sample(other, 0, 50));
  await serviceOf(client, other);
  expect((await client.expect(200, 'GET', path)).series).toEqual(before.series);
});
