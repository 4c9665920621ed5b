import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const RULES = '/api/v1/alerts/rules';
const RULE = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
const CHANNEL = {
  kind: 'slack',
  name: 'a',
  config: { webhook_url: 'https://hooks.slack.com/services/T/B/secret-text' },
};

const SILENCE = {
  matchers: { hosts: ['db-*'] },
  comment: 'limits',
  from: '2026-01-01T00:00:00Z',
  until: '2099-01-01T00:00:00Z',
};

const OBJECTS = { rulesLimit: 3, channelsLimit: 2, silencesLimit: 2, keysLimit: 2, markersLimit: 2 };
const api = await openForFile(openApi(OBJECTS));
const audited = await openForFile(openApi({ auditBytesPerHour: 20_000 }));

describe('the number of objects that an organization may store', () => {
  const post = (path: string, body: object, key = 'admin') => api.call('POST', path, { body, key });
  const set = (names: string[], more: object = {}) => ({
    rules: names.map((name) => ({ ...RULE, external_id: name })),
    ...more,
  });

  it.each([
    ['rules', RULES, RULE, 3],
    ['channels', '/api/v1/channels', CHANNEL, 2],
    ['silences', '/api/v1/silences', SILENCE, 2],
    ['keys', '/api/v1/keys', { name: 'k', scopes: ['read'] }, 2],
    ['markers', '/api/v1/markers', { title: 'deployed' }, 2],
  ])('%s are limited, with an answer that says what to do', async (noun, path, body, max) => {
    // Sends all requests concurrently: no more than the limit may succeed.
    const all = await Promise.all(Array.from({ length: max + 3 }, () => post(path, body)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(max);
    const refused = await post(path, body);
    expect(refused.body).toMatchObject({
      status: 422,
      code: 'limit_reached',
      errors: [{ in: 'body', path: '', code: 'limit_reached' }],
    });
    expect(refused.body.detail).toContain(`The organization may have ${max} `);
    expect(refused.body.detail).toContain(`TIDEWATCH_${noun.toUpperCase()}_LIMIT`);
    expect((await post(path, body, 'stranger')).status).toBe(201);
  });

  it('is counted again after a deletion, which makes room', async () => {
    const [{ id }] = (await api.get(RULES)).body.rules;
    expect((await api.call('DELETE', `${RULES}/${id}`)).status).toBe(204);
    expect((await post(RULES, RULE)).status).toBe(201);
    expect((await post(RULES, RULE)).body.code).toBe('limit_reached');
  });

  it('excludes a rule set beyond the limit as a whole, also in a dry run; at the limit rules may be exchanged', async () => {
    const put = (body: object) => api.call('PUT', RULES, { body, key: 'stranger' });
    expect((await put(set(['a', 'b']))).status).toBe(200);
    expect((await put(set(['a', 'b', 'c']))).body.code).toBe('limit_reached');
    expect((await put(set(['a', 'b', 'c'], { dry_run: true }))).body.code).toBe('limit_reached');
    expect((await put(set(['c', 'd'], { prune: true }))).body).toMatchObject({
      created: [expect.any(String), expect.any(String)],
      deleted: [expect.any(String), expect.any(String)],
    });
  });

  it('includes keys: one can be rotated while there is room, and revoked at the limit', async () => {
    api.clock.now = Date.now();
    const [first] = (await api.get('/api/v1/keys', { key: 'stranger' })).body.keys;
    const rotated = await post(`/api/v1/keys/${first.id}/rotate`, {}, 'stranger');
    expect(rotated.status).toBe(201);
    expect((await post(`/api/v1/keys/${rotated.body.id}/rotate`, {}, 'stranger')).body.code).toBe(
      'limit_reached',
    );
    expect((await api.call('DELETE', `/api/v1/keys/${first.id}`, { key: 'stranger' })).status).toBe(204);
    expect((await post('/api/v1/keys', { name: 'k', scopes: ['read'] }, 'stranger')).status).toBe(201);
  });
});

describe('the audit records of an organization', () => {
  it('contain the changed number of a rule, however large the rule is', async () => {
    const hosts = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(200, 'x'));
    const { id } = (await audited.call('POST', RULES, { body: { ...RULE, scope: { hosts } } })).body;
    await audited.call('PATCH', `${RULES}/${id}`, { body: { threshold: 80 } });
    const [changed] = (await audited.get(`/api/v1/audit?object_id=${id}`)).body.audit;
    expect(changed).toMatchObject({
      before: { threshold: 90, version: 1 },
      after: { threshold: 80, version: 2 },
    });
    expect(Object.keys(changed.after).sort()).toEqual(['threshold', 'version']);
  });

  it('are limited in each hour: a change beyond the limit is rolled back and answered with a problem', async () => {
    const { id } = (await audited.get(RULES)).body.rules[0];
    const statuses: number[] = [];
    for (let threshold = 0; threshold < 30; threshold += 1)
      statuses.push((await audited.call('PATCH', `${RULES}/${id}`, { body: { threshold } })).status);
    expect(statuses).toContain(200);
    expect(statuses.at(-1)).toBe(422);
    const refused = await audited.call('PATCH', `${RULES}/${id}`, { body: { threshold: 1_000 } });
    expect(refused.body.code).toBe('limit_reached');
    expect(refused.body.detail).toContain('TIDEWATCH_AUDIT_BYTES_PER_HOUR');
    expect((await audited.get(`${RULES}/${id}`)).body.threshold).not.toBe(1_000);
    expect((await audited.call('POST', RULES, { body: RULE, key: 'stranger' })).status).toBe(201);
    audited.clock.now += 3_600_000;
    expect((await audited.call('PATCH', `${RULES}/${id}`, { body: { threshold: 1_000 } })).status).toBe(200);
  });
});
