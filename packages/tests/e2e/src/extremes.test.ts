import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient, serviceOf, uniqueName } from './client.ts';
import { openTarget, type Target } from './target.ts';

const MINUTE = 60_000;
const MOST = Number.MAX_VALUE;

let target: Target;
let client: Client;
beforeAll(async () => {
  target = await openTarget();
  client = createClient(target);
});
afterAll(() => target?.close());

const minutesAgo = (minutes: number, millisecond = 0) =>
  new Date(Math.floor(Date.now() / MINUTE - minutes) * MINUTE + millisecond).toISOString();

async function points(id: string, metric: string, step: string) {
  const query = `metrics=${metric}&step=${step}&from=${minutesAgo(300)}`;
  const { series } = await client.expect(200, 'GET', `/services/${id}/metrics?${query}`);
  return series[0].points;
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
    for (const step of ['2', '1m', '1h']) {
      for (const point of await points(id, 'cpu_percent', step))
        expect(point).toMatchObject({ avg: expect.any(Number), max: MOST });
      for (const point of await points(id, 'least', step)) expect(point).toMatchObject({ min: -MOST });
    }
    await send(`${host}-2`, [minutesAgo(1)]);
    const { groups } = await client.expect(200, 'GET', `/services?group_by=extremes&q=${host}`);
    expect(groups).toHaveLength(2);
    await client.expect(200, 'GET', `/services?group_by=none-has-it&q=${host}`);
  });

  test('late buckets that hold them are recomputed', async () => {
    const drained = async () => {
      const text = await (await fetch(`${target.url}/metrics`)).text();
      return Number(/tidewatch_writer_buckets_drained_total (\d+)/.exec(text)?.[1]);
    };
    const before = await drained();
    await send(uniqueName('e2e-extremes'), [minutesAgo(1), minutesAgo(200, 0), minutesAgo(200, 1)]);
    await expect.poll(drained, { timeout: 20_000 }).toBeGreaterThan(before);
  });
});
