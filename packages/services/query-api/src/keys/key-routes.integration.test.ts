import { eventSchema } from '@tidewatch/contracts/events/event';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { recordKeyUses } from '@tidewatch/store/keys/note-uses';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOW, openApi } from '../testing/query-api.harness.ts';

const KEYS = '/api/v1/keys';
const api = await openForFile(openApi());
const operated = await openForFile(openApi());
const at = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

describe('keys', () => {
  const make = (more: object = {}, key = 'admin') =>
    api.call('POST', KEYS, { key, body: { name: 'k', scopes: ['read'], ...more } });

  it('are created with a secret that is shown once and is accepted', async () => {
    const { status, headers, body } = await make({ scopes: ['read', 'ingest'], hosts: ['web-*'] });
    expect([status, headers.get('location')]).toEqual([201, `${KEYS}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      kind: 'program',
      name: 'k',
      prefix: body.secret.slice(0, 11),
      scopes: ['ingest', 'read'],
      expires_at: null,
      revoked_at: null,
      rate_limit_per_minute: null,
      hosts: ['web-*'],
      last_used_at: null,
      created_at: at(0),
      created_by: { key_id: expect.any(String), name: 'admin' },
      replaces: null,
      replaced_by: null,
      secret: expect.stringMatching(/^tw_[0-9a-f]{32}_[0-9a-f]{64}$/),
    });
    const { secret, ...record } = body;
    expect((await api.get('/api/v1/services', { key: secret })).status).toBe(200);
    expect((await api.get(KEYS, { key: secret })).body.code).toBe('scope_missing');
    const read = await api.get(`${KEYS}/${body.id}`);
    expect(read.body).toEqual({ ...record, recent_hosts: [] });
    expect(read.text + (await api.get(KEYS)).text).not.toContain(secret.slice(-64));
    const { event } =
      (await api.sql`select event from outbox where event ->> 'subject' = ${body.id}`)[0] ?? {};
    expect(eventSchema.parse(event)).toMatchObject({ type: 'key.created', data: { replaces: null } });
  });

  it('are listed oldest first, page by page', async () => {
    for (let index = 0; index < 5; index += 1) await make({ name: `page ${index}` });
    for (const by of ['offset', 'cursor'] as const) {
      const { seen, total } = await api.walk(KEYS, 'keys', by, 2);
      expect(seen).toHaveLength(total);
      expect(seen.map(({ id }) => id)).toEqual(seen.map(({ id }) => id).sort());
    }
  });

  it('are filtered by a part of their name and by what became of them', async () => {
    const former = (await make({ name: 'filter A' })).body;
    const successor = (await api.call('POST', `${KEYS}/${former.id}/rotate`)).body;
    const gone = (await make({ name: 'FILTER b' })).body;
    await api.call('DELETE', `${KEYS}/${gone.id}`);
    const ended = (await make({ name: 'filter c', expires_at: at(1) })).body;
    await api.sql`update api_keys set expires_at = ${NOW} where id = ${ended.id}`;
    const listed = async (query: string) => {
      const { body } = await api.get(`${KEYS}?q=filter${query}`);
      const ids = body.keys.map(({ id }: { id: string }) => id);
      expect(ids).toHaveLength(body.pagination.total);
      return ids;
    };
    expect(await listed('')).toEqual([former.id, successor.id, gone.id, ended.id]);
    expect(await listed('%20B')).toEqual([gone.id]);
    expect(await listed('&status=valid')).toEqual([former.id, successor.id]);
    expect(await listed('&status=replaced')).toEqual([former.id]);
    expect(await listed('&status=revoked')).toEqual([gone.id]);
    expect(await listed('&status=expired')).toEqual([ended.id]);
    expect((await api.get(`${KEYS}?status=gone`)).status).toBe(422);
    expect((await api.get(`${KEYS}/${former.id}`)).body.replaced_by).toBe(successor.id);
    expect((await api.get(`${KEYS}/${successor.id}`)).body.replaces).toBe(former.id);
  });

  it.each([
    ['no scope', { scopes: [] }, '/scopes'],
    ['an unknown scope', { scopes: ['read', 'root'] }, '/scopes/1'],
    ['an end in the past', { expires_at: at(-1) }, '/expires_at'],
    ['no pattern', { hosts: [] }, '/hosts'],
    ['a rate of nothing', { rate_limit_per_minute: 0 }, '/rate_limit_per_minute'],
    ['what only the service says', { secret: 'x' }, '/secret'],
  ])('with %s are refused', async (_, more, path) => {
    const { status, body } = await make(more);
    expect([status, body.errors[0].path]).toEqual([422, path]);
  });

  it('cannot create a key with more permissions than their own', async () => {
    expect((await make({ scopes: ['operator'] })).body.code).toBe('scope_missing');
    expect((await make({ scopes: ['operator'] }, 'operator')).status).toBe(201);
    expect((await make({ scopes: ['read'] }, 'reader')).body.code).toBe('scope_missing');
    const mighty = (await make({ scopes: ['operator', 'admin'] }, 'operator')).body;
    expect((await api.call('POST', `${KEYS}/${mighty.id}/rotate`)).body.code).toBe('scope_missing');
  });

  describe('with restrictions', () => {
    const bounds = { hosts: ['web-*'], expires_at: at(10), rate_limit_per_minute: 100 };
    let bound: { id: string; secret: string };

    beforeAll(async () => {
      bound = (await make({ ...bounds, scopes: ['admin'] })).body as typeof bound;
    });

    it('pass their restrictions on to keys that are created without any', async () => {
      const { status, body } = await make({ scopes: ['admin'] }, bound.secret);
      expect([status, body]).toEqual([201, expect.objectContaining(bounds)]);
    });

    it('create keys with narrower restrictions', async () => {
      const narrower = { hosts: ['web-1*', 'web-2'], expires_at: at(9), rate_limit_per_minute: 1 };
      expect((await make(narrower, bound.secret)).body).toMatchObject(narrower);
    });

    it.each([
      [{ hosts: ['w*'] }, '/hosts'],
      [{ hosts: ['web-1', '*'] }, '/hosts'],
      [{ expires_at: at(11) }, '/expires_at'],
      [{ rate_limit_per_minute: 101 }, '/rate_limit_per_minute'],
    ])('make none with %j', async (wider, path) => {
      const { status, body } = await make(wider, bound.secret);
      expect([status, body.errors.map((each: { path: string }) => each.path)]).toEqual([422, [path]]);
    });

    it('cannot rotate a less restricted key', async () => {
      const free = (await make()).body;
      const refused = await api.call('POST', `${KEYS}/${free.id}/rotate`, { key: bound.secret });
      expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
      expect(refused.body.detail).toContain('hosts, expires_at, rate_limit_per_minute');
    });

    it('cannot extend their own expiry by a rotation', async () => {
      const own = (await make({ ...bounds, scopes: ['admin'] }, bound.secret)).body;
      const rotated = await api.call('POST', `${KEYS}/${own.id}/rotate`, { key: own.secret });
      expect(rotated.body).toMatchObject({ ...bounds, replaces: own.id });
    });
  });

  it('of an operator are revoked by operators alone, except the last one', async () => {
    const revoke = (id: string, key: string) => api.call('DELETE', `${KEYS}/${id}`, { key });
    const mighty = (await make({ scopes: ['operator', 'admin'] }, 'operator')).body;
    const refused = await revoke(mighty.id, 'admin');
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
    await api.sql`update api_keys set scopes = '{admin}' where id <> ${mighty.id} and 'operator' = any(scopes)`;
    const last = await revoke(mighty.id, mighty.secret);
    expect([last.status, last.body.code]).toEqual([409, 'last_admin_key']);
    expect(last.body.detail).toContain('operator');
    const second = (await make({ scopes: ['operator', 'admin'] }, mighty.secret)).body;
    await api.sql`update api_keys set scopes = '{ingest,read,write,admin,operator}' where name = 'operator'`;
    expect((await revoke(mighty.id, second.secret)).status).toBe(204);
  });

  it('are rotated once, with an overlap', async () => {
    const former = (await make({ rate_limit_per_minute: 7, hosts: ['a'], expires_at: at(100) })).body;
    const rotated = await api.call('POST', `${KEYS}/${former.id}/rotate`, { body: { grace_hours: 1 } });
    expect([rotated.status, rotated.headers.get('location')]).toEqual([201, `${KEYS}/${rotated.body.id}`]);
    expect(rotated.body).toMatchObject({
      replaces: former.id,
      name: 'k',
      scopes: ['read'],
      rate_limit_per_minute: 7,
      hosts: ['a'],
      expires_at: at(100),
    });
    expect((await api.get(`${KEYS}/${former.id}`)).body.expires_at).toBe(at(1));
    for (const key of [former.secret, rotated.body.secret])
      expect((await api.get('/api/v1/services', { key })).status).toBe(200);
    expect((await api.call('POST', `${KEYS}/${former.id}/rotate`)).status).toBe(409);
    const byDefault = await api.call('POST', `${KEYS}/${rotated.body.id}/rotate`);
    expect(byDefault.status).toBe(201);
    expect((await api.get(`${KEYS}/${rotated.body.id}`)).body.expires_at).toBe(at(24));
    const wrong = await api.call('POST', `${KEYS}/${byDefault.body.id}/rotate`, {
      body: { grace_hours: -1 },
    });
    expect(wrong.body.errors[0].path).toBe('/grace_hours');
  });

  it('are revoked once, stay in the list, and are refused afterwards', async () => {
    const { id, secret } = (await make()).body;
    expect((await api.call('DELETE', `${KEYS}/${id}`)).status).toBe(204);
    expect((await api.call('DELETE', `${KEYS}/${id}`)).status).toBe(404);
    expect((await api.call('POST', `${KEYS}/${id}/rotate`)).status).toBe(409);
    expect((await api.get(`${KEYS}/${id}`)).body.revoked_at).toBe(at(0));
    expect((await api.get('/api/v1/services', { key: secret })).body.code).toBe('key_revoked');
    const types = (
      await api.sql`select event ->> 'type' as type from outbox where event ->> 'subject' = ${id}`
    ).map(({ type }) => type);
    expect(types).toEqual(['key.created', 'key.revoked']);
  });

  it('keep at least one admin key, also when several are revoked concurrently', async () => {
    const made = await api.call('POST', '/api/v1/organizations', { key: 'operator', body: { name: 'last' } });
    const { key } = made.body;
    const second = (await make({ scopes: ['admin'] }, key.secret)).body as { id: string; secret: string };
    const revoke = ({ id, secret }: { id: string; secret: string }) =>
      api.call('DELETE', `${KEYS}/${id}`, { key: secret });
    const answers = await Promise.all([revoke(key), revoke(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('last_admin_key');
    const left = answers[0].status === 409 ? key : second;
    const rotated = await api.call('POST', `${KEYS}/${left.id}/rotate`, { key: left.secret });
    expect((await revoke({ id: rotated.body.id, secret: left.secret })).body.code).toBe('last_admin_key');
    expect((await revoke({ id: left.id, secret: rotated.body.secret })).status).toBe(204);
  });

  it('show when they were last used, and the latest hundred hosts', async () => {
    const { id } = (await make({ scopes: ['ingest'] })).body;
    const use = (from: number, count: number, time: number) =>
      recordKeyUses(api.ownSql, [
        {
          organizationId: api.organizationId,
          keyId: id,
          at: time,
          hosts: Array.from({ length: count }, (_, index) => `h${from + index}`),
        },
      ]);
    await use(0, 60, NOW);
    await use(40, 90, NOW + 60_000);
    await use(0, 0, NOW - 60_000);
    const { body } = await api.get(`${KEYS}/${id}`);
    expect(body.last_used_at).toBe(new Date(NOW + 60_000).toISOString());
    expect(body.recent_hosts).toHaveLength(100);
    expect(body.recent_hosts[0]).toEqual({
      host: 'h100',
      last_used_at: new Date(NOW + 60_000).toISOString(),
    });
    await recordKeyUses(api.ownSql, [
      { organizationId: newId('org'), keyId: id, at: NOW + 9e6, hosts: ['alien'] },
    ]);
    expect((await api.get(`${KEYS}/${id}`)).body).toEqual(body);
  });

  it('of another organization are 404', async () => {
    const { id } = (await make()).body;
    const key = 'stranger';
    expect((await api.get(`${KEYS}/${id}`, { key })).status).toBe(404);
    expect((await api.call('POST', `${KEYS}/${id}/rotate`, { key })).status).toBe(404);
    expect((await api.call('DELETE', `${KEYS}/${id}`, { key })).status).toBe(404);
    expect((await api.get(KEYS, { key })).body.keys).toEqual([]);
  });
});

describe('organizations', () => {
  const create = (name: string, key = 'operator') =>
    operated.call('POST', '/api/v1/organizations', { key, body: { name } });

  it('are created by the operator, with an admin key and the starter set of rules', async () => {
    const { status, body } = await create('Retail');
    expect(status).toBe(201);
    expect(body).toEqual({
      organization: { id: expect.stringMatching(/^org_/), name: 'Retail', created_at: at(0) },
      key: expect.objectContaining({
        scopes: ['ingest', 'read', 'write', 'admin'],
        secret: expect.any(String),
      }),
    });
    const key = body.key.secret;
    expect((await operated.get('/api/v1/alerts/rules', { key })).body.pagination.total).toBeGreaterThan(0);
    expect(
      (await operated.get('/api/v1/keys', { key })).body.keys.map(({ id }: { id: string }) => id),
    ).toEqual([body.key.id]);
    expect((await operated.get('/api/v1/organizations', { key })).body.code).toBe('scope_missing');
    const audit = (await operated.get('/api/v1/audit', { key })).body.audit;
    expect(audit.map(({ action }: { action: string }) => action)).toContain('key.created');
    const own = (await operated.get('/api/v1/audit?action=organization.created')).body.audit;
    expect(own[0].object).toEqual({ type: 'organization', id: body.organization.id, name: 'Retail' });
  });

  it('are listed for the operator alone, oldest first', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const { body } = await operated.get('/api/v1/organizations?limit=100', { key: 'operator' });
    const ids = body.organizations.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(body.pagination.total);
    expect(new Set(ids).size).toBeGreaterThanOrEqual(6);
    expect((await create('x', 'admin')).body.code).toBe('scope_missing');
    expect((await create('')).body.errors[0].path).toBe('/name');
  });
});
