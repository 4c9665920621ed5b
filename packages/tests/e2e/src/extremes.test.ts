import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, test } from 'vitest';
import { SEEN, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const MOST = Number.MAX_VALUE;

const { client } = await openScenario();

const minutesAgo = (minutes: number, millisecond = 0) =>
  new Date(Math.floor(Date.now() / MINUTE_MS - minutes) * MINUTE_MS + millisecond).toISOString();

async function points(id: string, metric: string, step: string) {
  const query = `metrics=${metric}&step=${step}&from=${minutesAgo(300)}`;
  const { series } = await client.expect(200, 'GET', `/services/${id}/metrics?${query}`);
  return series[0]?.points ?? [];
}

describe('values whose sum is beyond the largest number', () => {
  const send = async (host: string, times: string[]) => {
    for (const timestamp of times) {
      const metrics = { cpu_percent: MOST, least: -MOST };
      expect((await client.ingest({ host, timestamp, metrics, tags: { extremes: host } })).status).toBe(200);
    }
  };

  test.each([
    ['in order', () => [minutesAgo(5, 0), minutesAgo(5, 1), minutesAgo(4, 0)]],
    ['late', () => [minutesAgo(1), minutesAgo(200, 0), minutesAgo(200, 1)]],
  ])('%s: every step and group is answered, with the exact least and greatest', async (_, times) => {
    const host = uniqueName('e2e-extremes');
    await send(host, times());
    const { id } = await serviceOf(client, host);
    await expect.poll(async () => (await points(id, 'cpu_percent', '1h')).length, SEEN).toBeGreaterThan(0);
    for (const step of ['2', '1m', '1h']) {
      for (const point of await points(id, 'cpu_percent', step))
        expect(point).toMatchObject({ avg: expect.any(Number), max: MOST });
      for (const point of await points(id, 'least', step)) expect(point).toMatchObject({ min: -MOST });
    }
    await send(`${host}-2`, [minutesAgo(1)]);
    const path = `/services?group_by=extremes&q=${host}`;
    await expect.poll(async () => (await client.expect(200, 'GET', path)).groups, SEEN).toHaveLength(2);
    await client.expect(200, 'GET', `/services?group_by=none-has-it&q=${host}`);
  });

  test('do not delay other samples when they are late', async () => {
    const host = uniqueName('e2e-extremes');
    await send(host, [minutesAgo(1), minutesAgo(200, 0), minutesAgo(200, 1)]);
    const other = uniqueName('e2e-after-extremes');
    const late = [{ host: other, timestamp: minutesAgo(200), metrics: { a: 3 } }];
    await client.ingest([...late, { host: other, timestamp: minutesAgo(1), metrics: { a: 5 } }]);
    for (const [name, metric, count] of [
      [host, 'cpu_percent', 3],
      [other, 'a', 2],
    ] as const) {
      const { id } = await serviceOf(client, name);
      const counted = async () => {
        const steps: { count: number }[] = await points(id, metric, '1h');
        return steps.reduce((sum, step) => sum + step.count, 0);
      };
      await expect.poll(counted, SEEN).toBe(count);
    }
  });
});
