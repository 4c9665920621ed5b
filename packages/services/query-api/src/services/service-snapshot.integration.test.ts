import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApiOfRows } from '../testing/query-api.harness.ts';

const api = await openForFile(openApiOfRows());

describe('processes and containers of a host', () => {
  const service = newId('svc');
  const at = (minutes: number) => new Date(NOW + minutes * MINUTE_MS).toISOString();
  const PATH = `/api/v1/services/${service}/snapshots`;

  beforeAll(async () => {
    await api.service(service, 'web-01');
    await api.sql`select ensure_partition('snapshots', ${NOW - DAY_MS}, ${NOW + DAY_MS})`;
    for (const minute of [-60, -30, 0])
      await api.sql`insert into snapshots ("time", organization_id, service_id, processes, containers)
        values (${NOW + minute * MINUTE_MS}, ${api.organizationId}, ${service},
          ${api.sql.json([{ name: `p${minute}`, pid: 7, cpu_percent: 1.5 }])},
          ${minute === -30 ? api.sql.json([{ name: 'api', image: 'shop/api:1' }]) : null})`;
  });

  it.each([
    ['', 'p0', 0],
    [`?at=${at(0)}`, 'p0', 0],
    [`?at=${at(-1)}`, 'p-30', -30],
  ])('are those of the newest payloads at or before the time asked for: %s', async (query, name, time) => {
    const { status, body } = await api.get(`${PATH}${query}`, { key: 'reader' });
    expect(status).toBe(200);
    expect(body).toEqual({
      service_id: service,
      host: 'web-01',
      at: query === '' ? at(0) : query.slice(4),
      processes: { time: at(time), list: [{ name, pid: 7, cpu_percent: 1.5, memory_rss: null }] },
      containers: {
        time: at(-30),
        list: [
          {
            name: 'api',
            image: 'shop/api:1',
            status: null,
            health: null,
            cpu_percent: null,
            memory_usage: null,
          },
        ],
      },
      parts: { time: null, list: [] },
    });
  });

  it('are none before the first payload, and 404 for other organizations', async () => {
    const { body } = await api.get(`${PATH}?at=${at(-61)}`);
    expect([body.processes, body.containers, body.parts]).toEqual([
      { time: null, list: [] },
      { time: null, list: [] },
      { time: null, list: [] },
    ]);
    expect((await api.get(PATH, { key: 'stranger' })).status).toBe(404);
    expect((await api.get(`${PATH}?to=${at(0)}`)).body.errors[0].path).toBe('/to');
  });

  it('are as the service shows them now', async () => {
    const { body } = await api.get(`/api/v1/services/${service}`);
    expect(body.processes.list[0].name).toBe('p0');
    expect(body.containers).toMatchObject([{ name: 'api', time: at(-30) }]);
  });
});

describe('parts of a host at a time', () => {
  const service = newId('svc');
  const at = (minutes: number) => new Date(NOW + minutes * MINUTE_MS).toISOString();
  const partsAt = async (minutes: number) =>
    (await api.get(`/api/v1/services/${service}/snapshots?at=${at(minutes)}`)).body['parts'];

  beforeAll(async () => {
    await api.service(service, 'web-02');
    await api.sql`select ensure_partition('samples', ${NOW - DAY_MS}, ${NOW + DAY_MS})`;
    const ids: number[] = [];
    for (const [kind, name, gone] of [
      ['filesystem', '/var', false],
      ['filesystem', '/', false],
      ['disk', 'sda', true],
    ] as const) {
      const [row] = await api.sql<{ id: number }[]>`
        insert into parts (organization_id, service_id, kind, name, host, labels, gone)
        values (${api.organizationId}, ${service}, ${kind}, ${name}, 'web-02', '{"type": "x"}', ${gone}) returning id`;
      ids.push(row?.id ?? 0);
    }
    const [variable, root, disk] = ids as [number, number, number];
    for (const [ordinal, metrics, parts] of [
      [0, ['used', 'free', 'used'], [variable, variable, root]],
      [1, ['busy'], [disk]],
    ] as const) {
      const [block] = await api.sql<{ id: number }[]>`
        insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics, parts)
        values (${api.organizationId}, ${service}, 'part', '', ${ordinal}, ${metrics}, ${parts}) returning id`;
      const rows = ordinal === 0 ? ([-20, -10, 0] as const) : ([-20, -10] as const);
      for (const minute of rows)
        await api.sql`insert into samples ("time", block_id, v0, v1, v2)
          values (${at(minute)}, ${block?.id ?? 0}, ${50 + minute}, ${minute === -10 && ordinal === 0 ? 1 : null}, ${minute === 0 ? 7 : null})`;
    }
  });

  it('are those of the newest payload at or before the time asked for, with its values', async () => {
    expect(await partsAt(-5)).toEqual({
      time: at(-10),
      list: [
        { kind: 'disk', name: 'sda', labels: { type: 'x' }, metrics: { busy: 40 } },
        { kind: 'filesystem', name: '/var', labels: { type: 'x' }, metrics: { free: 1, used: 40 } },
      ],
    });
    expect(await partsAt(0)).toEqual({
      time: at(0),
      list: [
        { kind: 'filesystem', name: '/', labels: { type: 'x' }, metrics: { used: 7 } },
        { kind: 'filesystem', name: '/var', labels: { type: 'x' }, metrics: { used: 50 } },
      ],
    });
    expect(await partsAt(-21)).toEqual({ time: null, list: [] });
  });
});
