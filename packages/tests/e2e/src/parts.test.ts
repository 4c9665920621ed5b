import { describe, expect, test } from 'vitest';
import { SEEN, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { client } = await openScenario();

describe('parts of a host', () => {
  test('are stored with their labels, shown with their latest values, and have series of their own', async () => {
    const host = uniqueName('e2e-parts');
    const send = (secondsAgo: number, used: number) =>
      client.ingest({
        host,
        timestamp: seconds(-secondsAgo),
        metrics: { load_1: 1 },
        parts: [
          {
            kind: 'filesystem',
            name: '/var',
            labels: { type: 'ext4' },
            used_percent: used,
            free_bytes: 1_000,
          },
          { kind: 'unit', name: 'nginx.service', failed: 0 },
        ],
      });
    await send(90, 70);
    await send(30, 80);
    const detail = async () =>
      client.expect(200, 'GET', `/services/${(await serviceOf(client, host)).id}`) as Promise<{
        id: string;
        parts: { kind: string; name: string; labels: object; metrics: object }[];
        metrics: object;
      }>;
    await expect
      .poll(
        async () =>
          (await detail()).parts.map(({ kind, name, labels, metrics }) => [kind, name, labels, metrics]),
        SEEN,
      )
      .toEqual([
        ['filesystem', '/var', { type: 'ext4' }, { free_bytes: 1_000, used_percent: 80 }],
        ['unit', 'nginx.service', {}, { failed: 0 }],
      ]);
    const { id, metrics } = await detail();
    expect(metrics).toEqual({ load_1: 1 });
    const query = `from=${seconds(-300)}&to=${seconds(0)}&step=1m`;
    const series = await client.expect(
      200,
      'GET',
      `/services/${id}/metrics?subject=filesystem:/var&${query}`,
    );
    expect(series.subject).toEqual({ kind: 'part', name: 'filesystem:/var' });
    const used = series.series.find(({ metric }: { metric: string }) => metric === 'used_percent');
    expect(used.points.map(({ avg }: { avg: number }) => avg)).toEqual([70, 80]);
    const same = await client.expect(
      200,
      'GET',
      `/services/${id}/metrics?subject=part:filesystem:/var&${query}`,
    );
    expect(same.series).toEqual(series.series);
    const unknown = await client.expect(
      200,
      'GET',
      `/services/${id}/metrics?subject=filesystem:/tmp&${query}`,
    );
    expect(unknown.series).toEqual([]);
  });

  test('with faults are refused by their path', async () => {
    const parts = [
      { kind: 'filesystem', name: '/', used_percent: 1 },
      { kind: 'a:b', name: '/' },
    ];
    const problem = await client.expect(422, 'POST', '/ingest', {
      host: uniqueName('e2e-parts'),
      metrics: {},
      parts,
    });
    expect(problem.errors).toMatchObject([{ in: 'body', path: '/parts/1/kind', code: 'invalid_format' }]);
  });

  test('that a subject names wrongly are refused with what is allowed', async () => {
    const host = uniqueName('e2e-parts');
    await client.ingest({ host, metrics: { load_1: 1 } });
    const { id } = await serviceOf(client, host);
    const problem = await client.expect(422, 'GET', `/services/${id}/metrics?subject=process:node`);
    expect(problem.errors).toMatchObject([{ in: 'query', path: '/subject', code: 'invalid_format' }]);
  });
});
