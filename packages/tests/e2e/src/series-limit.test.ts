import { describe, expect, it } from 'vitest';
import { openProduct } from './scenario.ts';

const LIMIT = 20;
const LENIENT = { prefer: 'handling=lenient' };

const { client } = await openProduct({ TIDEWATCH_SERIES_LIMIT: String(LIMIT) });

describe('an organization at its limit of series', () => {
  const payload = (host: string, from: number, to: number) => {
    const names = Array.from({ length: to - from }, (_, index) => [`m${from + index}`, 1]);
    return { host, metrics: Object.fromEntries(names) };
  };

  it('keeps its existing series at the limit, gets no new ones, and learns how many are in use', async () => {
    expect((await client.ingest(payload('a', 0, 10))).headers.get('tidewatch-series')).toBeNull();
    expect((await client.ingest([payload('a', 0, 10), payload('b', 0, 10)])).status).toBe(200);
    for (let round = 0; round < 3; round += 1)
      expect((await client.ingest([payload('a', 0, 10), payload('b', 0, 10)])).status).toBe(200);

    const refused = await client.ingest([payload('a', 0, 10), payload('b', 5, 12)]);
    expect([refused.status, refused.body.code]).toEqual([422, 'series_limit']);
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      '/1/metrics/m10',
      '/1/metrics/m11',
    ]);

    const lenient = await client.ingest([payload('b', 5, 12), payload('a', 0, 1)], LENIENT);
    expect(lenient.body).toMatchObject({ status: 'ok', events_accepted: 2, events_rejected: 0 });
    expect(lenient.body.errors).toMatchObject([{ path: '/0/metrics/m10' }, { path: '/0/metrics/m11' }]);
    expect(lenient.headers.get('tidewatch-series')).toBe('active=20, limit=20');
    const { services } = await client.expect(200, 'GET', '/services?q=b');
    const service = JSON.stringify(await client.expect(200, 'GET', `/services/${services[0].id}`));
    expect([service.includes('"m9"'), service.includes('"m10"')]).toEqual([true, false]);
  });

  it('can add series again once a service is deleted', async () => {
    const [{ id }] = (await client.expect(200, 'GET', '/services?q=a')).services;
    await client.expect(204, 'DELETE', `/services/${id}`);
    const more = async () => (await client.ingest(payload('c', 0, 10))).status;
    await expect.poll(more).toBe(200);
  });
});
