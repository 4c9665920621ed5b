import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, NOW, openApi } from '../testing/query-api.harness.ts';

const RULES = '/api/v1/alerts/rules';
const RULE = { metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };

const api = await openForFile(openApi());

describe('changes of a host', () => {
  let rule: Body;
  let marker: Body;
  const service = newId('svc');
  const PATH = `/api/v1/services/${service}/changes`;
  const at = (ms: number) => new Date(NOW + ms).toISOString();

  beforeAll(async () => {
    await api.sql`insert into services (organization_id, id, host, tags, tags_at, first_seen, status_since)
      values (${api.organizationId}, ${service}, 'web-01', '{"role":"web","version":"14.1"}', ${NOW - DAY_MS}, ${NOW}, ${NOW})`;
    await api.sql`update services set tags = '{"role":"web","version":"14.2"}', tags_at = ${NOW - HOUR_MS} where id = ${service}`;
    const mark = (title: string, selector: object, ms: number) =>
      api.call('POST', '/api/v1/markers', {
        body: { title, selector, at: at(ms), tags: { version: '14.2' } },
      });
    marker = (await mark('deploy 14.2', { tags: { role: 'web' } }, -2 * HOUR_MS)).body;
    await mark('deploy of others', { hosts: ['db-*'] }, -2 * HOUR_MS);
    await mark('long ago', { hosts: ['web-*'] }, -30 * HOUR_MS);
    const create = (name: string, scope: object) =>
      api.call('POST', RULES, { body: { ...RULE, name, scope } });
    rule = (await create('CPU is busy', { hosts: ['web-*'] })).body;
    await create('of others', { hosts: ['db-*'] });
    const deleted = (await create('deleted', {})).body;
    await api.call('DELETE', `${RULES}/${deleted.id}`);
    api.clock.now += 1_000;
    await api.call('PATCH', `${RULES}/${rule.id}`, { body: { threshold: 95 } });
    api.clock.now += 1_000;
  });

  it('are markers that select it, its tags, and rules of its scope, within a day', async () => {
    const { status, body } = await api.get(PATH, { key: 'reader' });
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body).toEqual({
      service_id: service,
      host: 'web-01',
      from: at(2_000 - DAY_MS),
      to: at(2_000),
      changes: [
        {
          kind: 'marker',
          id: marker.id,
          at: at(-2 * HOUR_MS),
          title: 'deploy 14.2',
          tags: { version: '14.2' },
        },
        {
          kind: 'tag',
          id: null,
          at: at(-HOUR_MS),
          title: 'tag version: 14.1 → 14.2',
          tags: { role: 'web', version: '14.2' },
        },
        {
          kind: 'rule',
          id: rule.id,
          at: at(1_000),
          title: 'rule "CPU is busy" was changed to version 2',
          tags: {},
        },
      ],
    });
  });

  it('are those of the range asked for', async () => {
    const { changes } = (await api.get(`${PATH}?from=${at(-2 * DAY_MS)}&to=${at(-2 * HOUR_MS)}`)).body;
    expect(changes.map(({ title }: Body) => title)).toEqual(['long ago']);
  });

  it.each([
    [`?from=${at(0)}&to=${at(-1)}`, '/to'],
    [`?from=${at(-93 * DAY_MS)}`, '/from'],
    [`?from=${at(DAY_MS)}`, '/from'],
    ['?limit=1', '/limit'],
  ])('are refused for %s', async (query, path) => {
    const { status, body } = await api.get(`${PATH}${query}`);
    expect([status, body.errors[0].path]).toEqual([422, path]);
  });

  it('are not found by other organizations', async () => {
    expect((await api.get(PATH, { key: 'stranger' })).status).toBe(404);
    expect((await api.get(`/api/v1/services/${newId('svc')}/changes`)).status).toBe(404);
  });
});
