import { describe, expect, it } from 'vitest';
import { SEEN } from './client.ts';
import { openProduct } from './scenario.ts';

const LENIENT = { prefer: 'handling=lenient' };

const { client } = await openProduct({
  TIDEWATCH_HOST_PARTS_LIMIT: '8',
  TIDEWATCH_HOST_PART_SERIES_LIMIT: '12',
});

describe('a host at its limit of parts', () => {
  const host = 'web-01';
  const payload = (names: string[], ...metrics: string[]) => ({
    host,
    metrics: { load_1: 1 },
    parts: names.map((name) => ({
      kind: 'filesystem',
      name,
      used_percent: 1,
      ...Object.fromEntries(metrics.map((metric) => [metric, 2])),
    })),
  });
  const listed = async () =>
    (await client.expect(200, 'GET', `/parts?host=${host}`)).parts.map(({ name }: { name: string }) => name);

  it('keeps its parts over payloads of several senders, gets no new ones, and each of these is named', async () => {
    expect((await client.ingest(payload(['/a', '/b', '/c', '/d', '/e']))).status).toBe(200);
    expect((await client.ingest(payload(['/f', '/g', '/h']))).status).toBe(200);
    await expect.poll(listed, SEEN).toHaveLength(8);

    const refused = await client.ingest(payload(['/h', '/i']));
    expect([refused.status, refused.body.code]).toEqual([422, 'series_limit']);
    expect(refused.body.detail).toContain('Host web-01 would have more than 8 active parts');
    expect(refused.body.errors).toEqual([
      {
        in: 'body',
        path: '/parts/1',
        code: 'parts_limit',
        message: 'filesystem:/i is a new part beyond the 8 that a host may have.',
      },
    ]);

    const lenient = await client.ingest(payload(['/i', '/a'], 'free', 'size'), LENIENT);
    expect(lenient.body).toMatchObject({ status: 'ok', events_accepted: 1, events_rejected: 0 });
    expect(lenient.body.errors).toMatchObject([{ path: '/parts/0' }]);
    const more = await client.ingest(payload(['/b', '/c'], 'free', 'size'), LENIENT);
    expect(more.body.errors).toMatchObject([
      {
        path: '/parts/1/free',
        message: 'free of filesystem:/c is a new series beyond the 12 that parts of a host may have.',
      },
      { path: '/parts/1/size' },
    ]);
    expect((await client.ingest(payload(['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h']))).status).toBe(200);
    expect(await listed()).toEqual(['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h']);
  });

  it('is in the limits as the host that has the most', async () => {
    const read = async () => {
      const { parts_per_host, part_series_per_host } = await client.expect(200, 'GET', '/limits');
      return { parts_per_host, part_series_per_host };
    };
    // Counts are at most ten seconds old.
    await expect
      .poll(read, { timeout: 20_000, interval: 500 })
      .toEqual({ parts_per_host: { limit: 8, used: 8 }, part_series_per_host: { limit: 12, used: 12 } });
  });
});
