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
    const then = await client.expect(200, 'GET', `/services/${id}/snapshots?at=${seconds(-60)}`);
    expect(then.parts.list).toMatchObject([
      { kind: 'filesystem', name: '/var', metrics: { free_bytes: 1_000, used_percent: 70 } },
      { kind: 'unit', name: 'nginx.service', metrics: { failed: 0 } },
    ]);
    const exported = await client.ask(
      'GET',
      `/services/${id}/metrics?subject=filesystem:/var&metrics=used_percent&format=csv&${query}`,
    );
    expect(exported.body.split('\r\n').map((line: string) => line.split(',').slice(0, 3))).toEqual([
      ['host', 'subject', 'metric'],
      [host, 'filesystem:/var', 'used_percent'],
      [host, 'filesystem:/var', 'used_percent'],
      [''],
    ]);
    const unknown = await client.expect(
      200,
      'GET',
      `/services/${id}/metrics?subject=filesystem:/tmp&${query}`,
    );
    expect(unknown.series).toEqual([]);
  });

  test('are listed over all hosts by kind, name, host, tags and labels, and leave with their host', async () => {
    const names = [uniqueName('e2e-parts'), uniqueName('e2e-parts')].sort() as [string, string];
    const region = uniqueName('region');
    for (const [index, host] of names.entries())
      await client.ingest({
        host,
        tags: { region },
        metrics: {},
        parts: [
          {
            kind: 'filesystem',
            name: '/var',
            labels: { type: index === 0 ? 'ext4' : 'xfs' },
            used_percent: 40 + index,
          },
          { kind: 'filesystem', name: '/', used_percent: 10 },
          { kind: 'unit', name: 'nginx.service', failed: 0 },
        ],
      });
    const list = async (query: string) => {
      const { parts, pagination } = await client.expect(200, 'GET', `/parts?tag=region:${region}&${query}`);
      expect(pagination.total).toBe(parts.length);
      return parts.map(
        ({ host, kind, name, metrics }: { host: string; kind: string; name: string; metrics: object }) => [
          names.indexOf(host),
          `${kind}:${name}`,
          metrics,
        ],
      );
    };
    await expect
      .poll(() => list('kind=filesystem&name=/v*'), SEEN)
      .toEqual([
        [0, 'filesystem:/var', { used_percent: 40 }],
        [1, 'filesystem:/var', { used_percent: 41 }],
      ]);
    expect(await list('label=type:xfs')).toEqual([[1, 'filesystem:/var', { used_percent: 41 }]]);
    expect(await list(`host=${names[0]}&q=NGINX`)).toEqual([[0, 'unit:nginx.service', { failed: 0 }]]);
    const { metrics } = await client.expect(200, 'GET', '/metrics?q=filesystem.used_percent');
    expect(metrics).toMatchObject([{ name: 'filesystem.used_percent', unit: 'percent' }]);
    await client.expect(204, 'DELETE', `/services/${(await serviceOf(client, names[1])).id}`);
    expect(await list('kind=filesystem&sort=-host')).toEqual([
      [0, 'filesystem:/var', { used_percent: 40 }],
      [0, 'filesystem:/', { used_percent: 10 }],
    ]);
  });

  test('are listed as of a time with the values of then, also when their host was deleted since', async () => {
    const host = uniqueName('e2e-parts');
    const send = (secondsAgo: number, used: number) =>
      client.ingest({
        host,
        timestamp: seconds(-secondsAgo),
        metrics: {},
        parts: [{ kind: 'filesystem', name: '/', used_percent: used }],
      });
    const list = async (query = '') => {
      const { parts } = await client.expect(200, 'GET', `/parts?host=${host}${query}`);
      return parts.map(({ name, metrics }: { name: string; metrics: object }) => [name, metrics]);
    };
    const before = new Date().toISOString();
    await send(60, 20);
    await expect.poll(() => list(), SEEN).toEqual([['/', { used_percent: 20 }]]);
    const then = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await send(0, 30);
    await expect.poll(() => list(), SEEN).toEqual([['/', { used_percent: 30 }]]);
    await client.expect(204, 'DELETE', `/services/${(await serviceOf(client, host)).id}`);
    await expect.poll(() => list(), SEEN).toEqual([]);
    expect(await list(`&as_of=${then}`)).toEqual([['/', { used_percent: 20 }]]);
    expect(await list(`&as_of=${before}`)).toEqual([]);
  });

  test('are queried over many hosts by part, by host and each by itself', async () => {
    const names = [uniqueName('e2e-parts'), uniqueName('e2e-parts')].sort() as [string, string];
    const filesystem = (name: string, used: number) => ({
      kind: 'filesystem',
      name,
      labels: { type: name === '/' ? 'ext4' : 'xfs' },
      used_percent: used,
    });
    for (const [index, host] of names.entries())
      await client.ingest({
        host,
        timestamp: seconds(-60),
        metrics: {},
        parts: [filesystem('/', 10 + 20 * index), filesystem('/var', 50 + 40 * index)],
      });
    const query = async (body: object) => {
      const asked = { metric: 'filesystem.used_percent', from: seconds(-600), ...body };
      const answer = await client.expect(200, 'POST', '/query', asked);
      return answer.series.map(({ group, points }: { group: string; points: { value: number }[] }) => [
        group,
        points.map(({ value }) => value),
      ]);
    };
    const selector = { hosts: names };
    await expect
      .poll(() => query({ selector, by: 'part' }), SEEN)
      .toEqual([
        ['filesystem:/', [20]],
        ['filesystem:/var', [70]],
      ]);
    expect(await query({ selector, by: 'host', aggregate: 'max' })).toEqual([
      [names[0], [50]],
      [names[1], [90]],
    ]);
    expect(await query({ selector: { ...selector, part_labels: { type: 'xfs' } }, top: 1 })).toEqual([
      [`${names[1]} filesystem:/var`, [90]],
    ]);
    expect(await query({ selector: { ...selector, part: '/v*' }, aggregate: 'count' })).toEqual([
      [null, [2]],
    ]);
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
