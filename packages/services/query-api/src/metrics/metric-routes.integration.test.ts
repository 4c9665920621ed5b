import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const NAMES = ['Zeta', 'alpha_ms', 'beta_total', 'cpu_percent', 'gamma'];

const api = await openForFile(openApi());

describe('the list of metrics', () => {
  beforeAll(async () => {
    for (const [index] of NAMES.entries()) {
      const id = newId('svc');
      await api.service(id, id);
      await api.sql`insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
        values (${api.organizationId}, ${id}, 'host', ${id}, 0, ${NAMES.slice(index)})`;
    }
  });

  it.each([
    ['', NAMES],
    ['?sort=-name', NAMES.toReversed()],
    ['?sort=services', NAMES],
    ['?sort=-services', NAMES.toReversed()],
    ['?q=ETA', ['Zeta', 'beta_total']],
  ])('%s in order, by either way of paging', async (query, wanted) => {
    for (const by of ['offset', 'cursor'] as const)
      for (const limit of [1, 2, 100]) {
        const { seen, total } = await api.walk(`/api/v1/metrics${query}`, 'metrics', by, limit);
        expect([seen.map(({ name }) => name), total]).toEqual([wanted, wanted.length]);
      }
  });

  it('an entry has the documented form, or the requested fields', async () => {
    const { body } = await api.get('/api/v1/metrics?q=cpu');
    expect(body['metrics']).toEqual([{ name: 'cpu_percent', unit: 'percent', services: 4 }]);
    const some = await api.get('/api/v1/metrics?limit=1&fields=services');
    expect(some.body['metrics']).toEqual([{ services: 1 }]);
    expect((await api.get('/api/v1/metrics', { key: 'stranger' })).body['metrics']).toEqual([]);
  });

  it('an unchanged list is 304', async () => {
    const { headers } = await api.get('/api/v1/metrics');
    const tag = headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    const again = await api.get('/api/v1/metrics', { headers: { 'If-None-Match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await api.get('/api/v1/metrics?limit=1', { headers: { 'If-None-Match': tag } });
    expect(other.status).toBe(200);
  });

  it('refuses unknown names, orders, and the cursor of another order', async () => {
    const { body } = await api.get('/api/v1/metrics?limit=1');
    const cursor = body['pagination'].next_cursor;
    for (const [query, path] of [
      ['fields=name,host', '/fields'],
      ['fields=name.inner', '/fields'],
      ['fields=', '/fields'],
      ['sort=unit', '/sort'],
      [`sort=-name&cursor=${cursor}`, '/cursor'],
      [`q=e&cursor=${cursor}`, '/cursor'],
    ]) {
      const answer = await api.get(`/api/v1/metrics?${query}`);
      expect([answer.status, answer.body['errors']?.[0].path]).toEqual([422, path]);
    }
    expect((await api.get(`/api/v1/metrics?sort=name&cursor=${cursor}`)).status).toBe(200);
  });
});
