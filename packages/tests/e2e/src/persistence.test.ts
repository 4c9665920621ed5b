import { openEventStream } from '@tidewatch/harness/event-stream';
import { expect, test } from 'vitest';
import { SEEN, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { target, client } = await openScenario();

test.for(['restart', 'crash'] as const)(
  'after a %s all data exists, and evaluation and streams of events continue',
  async (way, { skip }) => {
    const again = target[way];
    if (again === undefined) return skip(`this target cannot be made to ${way}`);
    const host = uniqueName(`e2e-${way}`);
    const follow = (more = {}) =>
      openEventStream(`${target.url}/api/v1/events?host=${host}`, {
        key: target.key,
        ...more,
      });
    const stream = await follow();
    const rule = await client.expect(201, 'POST', '/alerts/rules', {
      name: `survives a ${way}`,
      metric: 'cpu_percent',
      condition: 'greater_than',
      threshold: 90,
      duration_minutes: 1,
      severity: 'warning',
      channels: [],
      scope: { hosts: [host] },
    });
    const start = Math.floor(Date.now() / 1000) * 1000 - 120_000;
    const sample = (offset: number, value: number) => ({
      host,
      timestamp: new Date(start + offset * 1000).toISOString(),
      metrics: { cpu_percent: value },
    });
    await client.ingest([sample(0, 95), sample(10, 96), sample(20, 97)]);
    const before = await serviceOf(client, host);
    const pending = async () => (await client.expect(200, 'GET', `/alerts/rules/${rule.id}`)).pending;
    await expect.poll(pending, SEEN).toHaveLength(1);
    await expect.poll(() => stream.events.length, SEEN).toBe(1);
    await again();
    await expect.poll(() => stream.ended(), SEEN).toBe(true);

    const path = `/services/${before.id}/metrics?metrics=cpu_percent&step=1&from=${new Date(start).toISOString()}&to=${seconds(0)}`;
    const { series } = await client.expect(200, 'GET', path);
    expect(series[0].points.map((point: { avg: number }) => point.avg)).toEqual([95, 96, 97]);
    expect(await pending()).toMatchObject([{ host, pending_since: new Date(start).toISOString() }]);

    await client.ingest([sample(30, 98), sample(40, 95), sample(50, 95), sample(60, 99)]);
    const alerts = async () => (await client.expect(200, 'GET', `/alerts?rule_id=${rule.id}`)).alerts;
    await expect.poll(alerts, SEEN).toMatchObject([
      {
        host,
        pending_since: new Date(start).toISOString(),
        fired_at: new Date(start + 60_000).toISOString(),
      },
    ]);
    expect((await serviceOf(client, host)).id).toBe(before.id);
    const resumed = await follow({ lastEventId: stream.lastId() });
    // Leaves out events of the investigation, which may exist as well.
    const emitted = () =>
      resumed.events
        .map(({ event, data }) => [event, data.subject])
        .filter(([event]) => event?.startsWith('alert.'));
    const [alert] = await alerts();
    await expect.poll(emitted, SEEN).toEqual([['alert.fired', alert.id]]);
    resumed.close();
  },
);
