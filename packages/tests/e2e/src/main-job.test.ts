import { describe, expect, test } from 'vitest';
import { SEEN, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

describe('from a sample to a resolved alert', () => {
  const host = uniqueName('e2e-main');
  let serviceId: string;
  let ruleId: string;

  const activeAlerts = async () => (await client.expect(200, 'GET', `/alerts?rule_id=${ruleId}`)).alerts;

  test('a payload is accepted and its host listed', async () => {
    const payload = {
      host,
      timestamp: seconds(-60),
      metrics: { cpu_percent: 20.5, memory_percent: 40, queue_length: 3 },
      tags: { environment: 'test', region: 'eu-1' },
      docker_containers: [
        { name: 'api', image: 'shop/api:1.4.2', status: 'running', cpu_percent: 3.5, memory_usage: 1024 },
      ],
      processes: [{ name: 'node', pid: 4711, cpu_percent: 3.1, memory_rss: 2048 }],
    };
    expect((await client.ingest(payload)).body).toEqual({ status: 'ok', events_accepted: 1 });
    serviceId = (await serviceOf(client, host)).id;
    await expect
      .poll(async () => (await serviceOf(client, host)).metrics, SEEN)
      .toEqual({ cpu_percent: 20.5, memory_percent: 40, disk_percent: null });
    const service = await serviceOf(client, host);
    expect(service).toMatchObject({
      name: host,
      status: 'healthy',
      tags: { environment: 'test', region: 'eu-1' },
    });
    expect(service.active_alerts).toEqual({ critical: 0, warning: 0, info: 0 });
  });

  test('the host shows every metric, its containers and its processes', async () => {
    await expect
      .poll(async () => (await client.expect(200, 'GET', `/services/${serviceId}`)).metrics, SEEN)
      .toEqual({ cpu_percent: 20.5, memory_percent: 40, queue_length: 3 });
    const service = await client.expect(200, 'GET', `/services/${serviceId}`);
    expect(service.host).toBe(host);
    expect(service.containers).toMatchObject([
      { name: 'api', image: 'shop/api:1.4.2', status: 'running', cpu_percent: 3.5, memory_usage: 1024 },
    ]);
    expect(service.processes.list).toEqual([{ name: 'node', pid: 4711, cpu_percent: 3.1, memory_rss: 2048 }]);
  });

  test('the series of the host has a point for each step', async () => {
    const start = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
    const payloads = Array.from({ length: 12 }, (_, index) => ({
      host,
      timestamp: new Date(start + index * 10_000).toISOString(),
      metrics: { stepped: index },
    }));
    expect((await client.ingest(payloads)).body.events_accepted).toBe(12);
    const path = `/services/${serviceId}/metrics?metrics=stepped&step=60&from=${new Date(start).toISOString()}&to=${new Date(start + 120_000).toISOString()}`;
    expect((await client.expect(200, 'GET', path)).step_seconds).toBe(60);
    await expect
      .poll(async () => (await client.expect(200, 'GET', path)).series, SEEN)
      .toEqual([
        {
          metric: 'stepped',
          unit: null,
          points: [
            { t: new Date(start).toISOString(), avg: 2.5, min: 0, max: 5, count: 6 },
            { t: new Date(start + 60_000).toISOString(), avg: 8.5, min: 6, max: 11, count: 6 },
          ],
        },
      ]);
  });

  test('a rule evaluates the samples that arrive after its creation, and its alert fires', async () => {
    const rule = await client.expect(201, 'POST', '/alerts/rules', {
      name: 'queue too long',
      metric: 'queue_length',
      condition: 'greater_than',
      threshold: 10,
      duration_minutes: 0,
      severity: 'critical',
      channels: [],
      scope: { hosts: [host] },
    });
    ruleId = rule.id;
    const time = seconds(-30);
    await client.ingest({ host, timestamp: time, metrics: { queue_length: 25 } });
    await expect.poll(activeAlerts, SEEN).toHaveLength(1);
    const [alert] = await activeAlerts();
    expect(alert).toMatchObject({
      host,
      status: 'active',
      state: 'firing',
      severity: 'critical',
      value: 25,
      fired_at: time,
      resolved_at: null,
    });
    expect(alert.summary.startsWith(host)).toBe(true);
    expect((await client.expect(200, 'GET', `/services/${serviceId}`)).status).toBe('critical');
  });

  test('the same payload again changes nothing, and a clear one resolves the alert', async () => {
    const [before] = await activeAlerts();
    await client.ingest({ host, timestamp: before.fired_at, metrics: { queue_length: 25 } });
    expect((await client.expect(200, 'GET', `/alerts?rule_id=${ruleId}&status=all`)).pagination.total).toBe(
      1,
    );
    const time = seconds(-20);
    await client.ingest({ host, timestamp: time, metrics: { queue_length: 10 } });
    await expect.poll(activeAlerts, SEEN).toEqual([]);
    expect((await client.expect(200, 'GET', `/alerts?rule_id=${ruleId}&status=all`)).pagination.total).toBe(
      1,
    );
    const alert = await client.expect(200, 'GET', `/alerts/${before.id}`);
    expect(alert).toMatchObject({
      status: 'resolved',
      state: 'resolved',
      resolution: 'recovered',
      resolved_at: time,
      value: 10,
      peak_value: 25,
    });
    expect((await client.expect(200, 'GET', `/services/${serviceId}`)).status).toBe('healthy');
  });

  test('deleting the rule resolves its alert, and the rule is 404 afterwards', async () => {
    await client.ingest({ host, timestamp: seconds(-10), metrics: { queue_length: 99 } });
    await expect.poll(activeAlerts, SEEN).toHaveLength(1);
    const [alert] = await activeAlerts();
    await client.expect(204, 'DELETE', `/alerts/rules/${ruleId}`);
    await client.expect(404, 'DELETE', `/alerts/rules/${ruleId}`);
    await expect
      .poll(async () => (await client.expect(200, 'GET', `/alerts/${alert.id}`)).resolution, SEEN)
      .toBe('rule_deleted');
  });

  test('a deleted service is missing from every response, and is created again with another id', async () => {
    await client.expect(204, 'DELETE', `/services/${serviceId}`);
    await client.expect(404, 'GET', `/services/${serviceId}`);
    await client.expect(404, 'DELETE', `/services/${serviceId}`);
    expect((await client.expect(200, 'GET', `/services?q=${host}`)).services).toEqual([]);
    await client.ingest({ host, metrics: { cpu_percent: 1 } });
    expect((await serviceOf(client, host)).id).not.toBe(serviceId);
  });
});

describe('a sample is stored once', () => {
  const at = Math.floor(Date.now() / 60_000) * 60_000 - 300_000;
  const range = `from=${new Date(at).toISOString()}&to=${new Date(at + 60_000).toISOString()}&step=60`;

  async function pointsOf(host: string, metric: string) {
    const service = await serviceOf(client, host);
    const answer = await client.expect(
      200,
      'GET',
      `/services/${service.id}/metrics?metrics=${metric}&${range}`,
    );
    return answer.series[0]?.points;
  }
  const payload = (host: string, metrics: Record<string, number>) => ({
    host,
    timestamp: new Date(at).toISOString(),
    metrics,
  });
  const point = (value: number) => [
    { t: new Date(at).toISOString(), avg: value, min: value, max: value, count: 1 },
  ];

  test('when it is sent twice, also within one batch', async () => {
    const host = uniqueName('e2e-twice');
    await client.ingest(payload(host, { a: 1 }));
    const answer = await client.ingest([payload(host, { a: 1 }), payload(host, { a: 1 })]);
    expect(answer.body.events_accepted).toBe(2);
    await expect.poll(() => pointsOf(host, 'a'), SEEN).toEqual(point(1));
  });
  test('and merged with other metrics of the same time', async () => {
    const host = uniqueName('e2e-merge');
    await client.ingest(payload(host, { a: 1 }));
    await client.ingest(payload(host, { b: 2 }));
    await expect.poll(() => pointsOf(host, 'a'), SEEN).toEqual(point(1));
    await expect.poll(() => pointsOf(host, 'b'), SEEN).toEqual(point(2));
  });
  test('with its newest value when another value of the same metric and time arrives', async () => {
    const host = uniqueName('e2e-newest');
    await client.ingest(payload(host, { a: 1 }));
    await client.ingest(payload(host, { a: 7 }));
    await expect.poll(() => pointsOf(host, 'a'), SEEN).toEqual(point(7));
  });
  test('when it is sent as NDJSON with blank lines', async () => {
    const host = uniqueName('e2e-ndjson');
    const lines = [0, 10, 20].map((offset) =>
      JSON.stringify({ host, timestamp: new Date(at + offset * 1000).toISOString(), metrics: { a: offset } }),
    );
    const answer = await client.ingest(`${lines.join('\n\n')}\n`, { 'content-type': 'application/x-ndjson' });
    expect(answer.body).toEqual({ status: 'ok', events_accepted: 3 });
    await expect
      .poll(() => pointsOf(host, 'a'), SEEN)
      .toEqual([{ t: new Date(at).toISOString(), avg: 10, min: 0, max: 20, count: 3 }]);
  });
});

describe('lists', () => {
  test('paging by cursor and by offset returns every row once', async () => {
    const prefix = uniqueName('e2e-page');
    const names = Array.from({ length: 25 }, (_, index) => `${prefix}-${String(index).padStart(2, '0')}`);
    await client.ingest(names.map((host) => ({ host, metrics: {} })));
    const listed = async () => (await client.expect(200, 'GET', `/services?q=${prefix}`)).pagination.total;
    await expect.poll(listed, SEEN).toBe(names.length);
    const byOffset: string[] = [];
    for (let offset = 0; offset < 30; offset += 10) {
      const page = await client.expect(200, 'GET', `/services?q=${prefix}&limit=10&offset=${offset}`);
      expect(page.pagination).toMatchObject({ total: 25, limit: 10, offset, has_more: offset < 20 });
      byOffset.push(...page.services.map((service: { name: string }) => service.name));
    }
    const byCursor: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await client.expect(
        200,
        'GET',
        `/services?q=${prefix}&limit=10${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      byCursor.push(...page.services.map((service: { name: string }) => service.name));
      cursor = page.pagination.next_cursor ?? '';
      if (cursor === '') break;
    }
    expect(byOffset).toEqual(names);
    expect(byCursor).toEqual(names);
  });
});
