import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const RULES = '/api/v1/alerts/rules';
const RULE = { name: 'CPU', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
const CHANNEL = {
  kind: 'slack',
  name: 'a',
  config: { webhook_url: 'https://hooks.slack.com/services/T/B/x' },
};
const SILENCE = {
  matchers: { hosts: ['web-*'] },
  from: new Date(NOW).toISOString(),
  until: new Date(NOW + 3_600_000).toISOString(),
};

/** Requests that change something, with the list that shows the change. `{id}` is the id of an existing object. */
const CHANGES: [method: string, path: string, body: object | undefined, list: string][] = [
  ['POST', RULES, RULE, RULES],
  ['PATCH', `${RULES}/{id}`, { threshold: 80 }, RULES],
  ['DELETE', `${RULES}/{id}`, undefined, RULES],
  ['PUT', RULES, { rules: [{ ...RULE, external_id: 'cpu' }] }, RULES],
  ['POST', `${RULES}/starter`, undefined, RULES],
  ['POST', '/api/v1/channels', CHANNEL, '/api/v1/channels'],
  ['PATCH', '/api/v1/channels/{id}', { name: 'b' }, '/api/v1/channels'],
  ['DELETE', '/api/v1/channels/{id}', undefined, '/api/v1/channels'],
  ['POST', '/api/v1/silences', SILENCE, '/api/v1/silences'],
  ['DELETE', '/api/v1/silences/{id}', undefined, '/api/v1/silences'],
  ['POST', '/api/v1/markers', { title: 'deployed' }, '/api/v1/markers'],
  ['DELETE', '/api/v1/markers/{id}', undefined, '/api/v1/markers'],
  ['POST', '/api/v1/keys', { name: 'k', scopes: ['read'] }, '/api/v1/keys'],
  ['POST', '/api/v1/keys/{id}/rotate', {}, '/api/v1/keys'],
  ['DELETE', '/api/v1/keys/{id}', undefined, '/api/v1/keys'],
];

const api = await openForFile(openApi());

describe('a change whose connection is cut before it is recorded', () => {
  const there = new Map<string, string>();

  beforeAll(async () => {
    for (const [method, path, body] of CHANGES) {
      if (method !== 'POST' || path.includes('{id}') || path.endsWith('/starter')) continue;
      const made = await api.call('POST', path, { body });
      expect(made.status, path).toBe(201);
      there.set(path, made.body.id);
    }
    await api.sql.unsafe(`
      create function cut() returns trigger language plpgsql as $$
      begin
        perform pg_terminate_backend(pg_backend_pid());
        return new;
      end $$;
      create trigger cut before insert on audit for each row execute function cut()`);
  });

  const list = async (path: string) => (await api.get(`${path}?limit=100`)).body;
  const recorded = async () => (await api.sql`select count(*)::int as records from audit`)[0]?.records;

  it.each(CHANGES)('%s %s leaves neither the change nor its record', async (method, path, body, shown) => {
    const before = [await list(shown), await recorded()];
    const id = there.get(shown) ?? '';
    const { status } = await api.call(method, path.replace('{id}', id), body === undefined ? {} : { body });
    expect(status).toBeGreaterThanOrEqual(500);
    expect([await list(shown), await recorded()]).toEqual(before);
  });

  it('succeeds and is recorded once the connection is not cut', async () => {
    await api.sql`drop trigger cut on audit`;
    const before = await recorded();
    const { body } = await api.call('PATCH', `${RULES}/${there.get(RULES)}`, { body: { threshold: 70 } });
    expect([body.threshold, await recorded()]).toEqual([70, before + 1]);
  });
});
