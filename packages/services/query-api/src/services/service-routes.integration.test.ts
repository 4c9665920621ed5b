import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { writePipelineClocks } from '@tidewatch/store/health/pipeline-clocks';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const SERVICES = 12;
const services = Array.from({ length: SERVICES }, () => newId('svc'));

const api = await openForFile(openApi());

describe('services', () => {
  beforeAll(async () => {
    for (const [i, id] of services.entries()) {
      const tags = i === 11 ? {} : { region: ['eu', 'us', 'a:b'][i % 3] as string };
      await api.sql`insert into services (organization_id, id, host, tags, status, first_seen, status_since, archived_at)
        values (${api.organizationId}, ${id}, ${`Web-${String(i).padStart(2, '0')}`}, ${api.sql.json(tags)},
          ${i < 3 ? 'critical' : 'healthy'}, ${NOW}, ${NOW}, ${i === 10 ? NOW : null})`;
      await api.sql`insert into service_live (organization_id, service_id, last_seen, cpu_percent)
        values (${api.organizationId}, ${id}, ${NOW}, ${10 * (1 + Math.floor(i / 3))})`;
    }
  });

  it('whose partition lags have the reason pipeline_delayed, in the list and in the detail', async () => {
    const reasonsOf = async () => {
      // The pipeline clocks are read at most once a second.
      api.clock.now += 1_000;
      const { body } = await api.get('/api/v1/services?limit=100');
      return (body.services as { id: string; status_reasons: { code: string }[] }[]).filter(
        ({ status_reasons }) => status_reasons.some(({ code }) => code === 'pipeline_delayed'),
      );
    };
    expect(await reasonsOf()).toEqual([]);
    const clocks = (ages: readonly number[]) =>
      writePipelineClocks(
        api.sql,
        ages.map((age, partition) => ({
          partition,
          partitions: ages.length,
          completeUntil: api.clock.now - age,
        })),
      );
    await clocks([1_000, 40_000]);
    const delayed = await reasonsOf();
    expect(delayed.length).toBeGreaterThan(0);
    expect(delayed.length).toBeLessThan(SERVICES - 1);
    const { body } = await api.get(`/api/v1/services/${delayed[0]?.id}`);
    expect(body.status_reasons).toEqual([
      {
        code: 'pipeline_delayed',
        alert_id: null,
        message: 'What this host sent is evaluated with a delay of 41 seconds.',
      },
    ]);
    await clocks([0]);
    expect(await reasonsOf()).toEqual([]);
    api.clock.now = NOW;
  });

  it.each([
    ['', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]],
    ['?status=archived', [10]],
    ['?status=critical', [0, 1, 2]],
    ['?tag=region:eu', [0, 3, 6, 9]],
    ['?tag=region:a:b', [2, 5, 8]],
    ['?tag=region:eu&tag=region:us', []],
    ['?q=wEB-1', [11]],
    ['?q=%25', []],
    ['?q=_eb', []],
    ['?q=%C3%A4', []],
    ['?status=critical&tag=region:us', [1]],
  ])('%s are those that match, by name, by either way of paging', async (query, chosen) => {
    const wanted = chosen.map((i) => services[i]);
    for (const by of ['offset', 'cursor'] as const) {
      for (const limit of [1, 4, 100]) {
        const { seen, total } = await api.walk(`/api/v1/services${query}`, 'services', by, limit);
        expect([seen.map(({ id }) => id), total]).toEqual([wanted, wanted.length]);
      }
    }
  });

  it('an entry of the list has the documented form', async () => {
    const { body } = await api.get('/api/v1/services?limit=1');
    const time = new Date(NOW).toISOString();
    expect(body.services).toEqual([
      {
        id: services[0],
        name: 'Web-00',
        status: 'critical',
        status_reasons: [],
        status_since: time,
        last_seen: time,
        metrics: { cpu_percent: 10, memory_percent: null, disk_percent: null },
        tags: { region: 'eu' },
        active_alerts: { critical: 0, warning: 0, info: 0 },
      },
    ]);
  });

  it('groups have counts, the worst status and means, with hosts without the tag last', async () => {
    const { seen } = await api.walk('/api/v1/services?group_by=region', 'groups', 'cursor', 1);
    expect(
      seen.map((g) => [
        g.value,
        g.services,
        g.status,
        g.statuses.critical,
        g.statuses.healthy,
        g.metrics.cpu_percent,
      ]),
    ).toEqual([
      ['a:b', 3, 'critical', 1, 2, 20],
      ['eu', 4, 'critical', 1, 3, 25],
      ['us', 3, 'critical', 1, 2, 20],
      [null, 1, 'healthy', 0, 1, 40],
    ]);
    expect((await api.walk('/api/v1/services?group_by=region', 'groups', 'offset', 3)).seen).toEqual(seen);
  });

  it('groups have current counts, and means that are at most half a second old', async () => {
    const eu = async () => {
      const { body } = await api.get('/api/v1/services?group_by=region&tag=region:eu');
      const [group] = body.groups as { services: number; metrics: { cpu_percent: number } }[];
      return [group?.services, group?.metrics.cpu_percent];
    };
    expect(await eu()).toEqual([4, 25]);
    const id = newId('svc');
    await api.service(id, 'more', { region: 'eu' });
    await api.sql`insert into service_live (organization_id, service_id, last_seen, cpu_percent)
      values (${api.organizationId}, ${id}, ${NOW}, 100)`;
    expect((await eu())[0]).toBe(5);
    await expect.poll(eu).toEqual([5, 40]);
    await api.sql`delete from services where id = ${id}`;
    expect((await eu())[0]).toBe(4);
  });

  it('the detail has every field, and a deleted service is missing from every response', async () => {
    const id = newId('svc');
    await api.service(id, 'gone');
    const { body } = await api.get(`/api/v1/services/${id}`);
    expect(body).toMatchObject({
      host: 'gone',
      metrics: {},
      containers: [],
      processes: { time: null, list: [] },
      alerts: [],
    });
    expect((await api.call('DELETE', `/api/v1/services/${id}`, { key: 'reader' })).body.code).toBe(
      'scope_missing',
    );
    expect((await api.call('DELETE', `/api/v1/services/${id}`)).status).toBe(204);
    expect((await api.call('DELETE', `/api/v1/services/${id}`)).status).toBe(404);
    expect((await api.get(`/api/v1/services/${id}`)).status).toBe(404);
    expect((await api.get(`/api/v1/services/${id}/metrics`)).status).toBe(404);
    expect((await api.get('/api/v1/services?q=gone')).body.pagination.total).toBe(0);
    const [event] = await api.sql`select event from outbox order by id desc limit 1`;
    expect(event?.event).toMatchObject({
      type: 'service.deleted',
      subject: id,
      data: { service: { name: 'gone' } },
    });
  });
});
