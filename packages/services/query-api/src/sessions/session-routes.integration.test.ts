import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';
import { CONSOLE_HEADERS, createBrowsers } from '../testing/sessions.harness.ts';

const SESSION = '/api/v1/session';

const api = await openForFile(openApi());
const browsers = await createBrowsers(api);

// So that no test uses up the sign-ins of the next one.
beforeEach(() => {
  api.clock.now += MINUTE_MS;
});

const signIn = (key: string, body?: object, headers?: object) => browsers.trySignIn(key, body, headers);

async function signedIn(key: string, body?: object) {
  const { ask: asSession, answer, cookie } = await browsers.signIn(key, body);
  return { asSession, answer, cookie };
}

async function crossSiteRequests(): Promise<number> {
  const text = await api.metrics.text(['tidewatch_cross_site_requests_total']);
  return Number(/_total (\d+)$/m.exec(text)?.[1]);
}

describe('signing in', () => {
  it('exchanges a key for a cookie that scripts cannot read, and stores its digest alone', async () => {
    const { answer, cookie, asSession } = await signedIn('admin');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^tidewatch-\d{8}=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      session: { kind: 'person', name: null, scopes: ['admin'], address: '127.0.0.1', current: true },
      organization: { id: api.organizationId, name: 'mine' },
      key: { name: 'admin', scopes: ['admin'] },
      scopes: ['admin'],
      confirmed_until: new Date(api.clock.now + 60 * MINUTE_MS).toISOString(),
      server: {
        public_url: 'https://tidewatch.example',
        topology: 'embedded',
        time: new Date(api.clock.now).toISOString(),
        retention: { raw_days: 7, '1m_days': 30, '1h_days': 400, '1d_days': 1826 },
      },
      replaced: null,
    });
    const token = cookie.split('=')[1] as string;
    const [stored] = await api.sql`
      select sessions::text as row from sessions where id = ${answer.body.session.id}`;
    expect(stored?.row).not.toContain(token);
    expect(answer.text).not.toContain(token);
    const { replaced: _, server, ...identity } = answer.body;
    const again = await asSession('GET', SESSION);
    expect(again.body).toEqual({ ...identity, server });
  });

  it('is not needed to read who asks: GET /session answers a key with any scopes', async () => {
    const { status, body } = await api.get(SESSION, { key: 'agent' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      session: null,
      key: { name: 'agent' },
      scopes: ['ingest'],
      confirmed_until: null,
    });
  });

  it('grants the scope read alone where the client asked for that', async () => {
    const { asSession } = await signedIn('admin', { read_only: true });
    expect((await asSession('GET', '/api/v1/alerts')).status).toBe(200);
    const refused = await asSession('POST', '/api/v1/markers', { body: { title: 'x' } });
    expect(refused.body).toMatchObject({
      code: 'scope_missing',
      detail: 'The session lacks the scope write.',
    });
    expect((await asSession('GET', '/api/v1/keys')).body.code).toBe('scope_missing');
  });

  it('refuses a key for agents, with the reason', async () => {
    const { status, body, headers } = await signIn('agent');
    expect([status, body.code, body.detail]).toEqual([
      403,
      'scope_missing',
      'This key can only send samples.',
    ]);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it.each([
    [{}, [{ in: 'body', path: '/key', code: 'key_or_link' }]],
    [{ key: 'a', link: 'b' }, [{ path: '/key', code: 'key_or_link' }]],
    [{ key: '' }, [{ path: '/key', code: 'too_short' }]],
    [{ key: 'admin', kind: 'display' }, [{ path: '/kind', code: 'unknown_field' }]],
    [{ key: 'admin', read_only: 'yes' }, [{ path: '/read_only', code: 'invalid_type' }]],
  ])('refuses the body %j', async (body, errors) => {
    const answer = await api.call('POST', SESSION, { key: null, body, headers: CONSOLE_HEADERS });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject(errors);
  });

  it('refuses a body above 4 KiB, because bodies of sign-ins are read before the client is known', async () => {
    const answer = await signIn('k'.repeat(5_000));
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('with a wrong key counts against the limit of refused keys', async () => {
    for (let index = 0; index < 300; index += 1)
      expect((await signIn('guess')).body.code).toBe('key_invalid');
    const refused = await signIn('guess');
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_refusals']);
    expect((await signIn('admin')).status).toBe(201);
    expect(await api.metrics.text(['tidewatch_sign_ins_total'])).toMatch(/outcome="too_many_refusals"\} 1/);
  });

  it('is limited for each key, since each sign-in leaves an audit record', async () => {
    for (let index = 0; index < 30; index += 1) expect((await signIn('reader')).status).toBe(201);
    expect((await signIn('reader')).body.code).toBe('rate_limited');
    expect((await signIn('admin')).status).toBe(201);
    api.clock.now += MINUTE_MS;
    expect((await signIn('reader')).status).toBe(201);
  });

  it('replaces the session that the browser had before, and names it', async () => {
    const first = await signedIn('stranger');
    const second = await signIn('admin', {}, { cookie: first.cookie });
    expect(second.body.replaced).toMatchObject({
      id: first.answer.body.session.id,
      key: { name: 'stranger' },
      organization: { name: 'theirs' },
    });
    expect((await first.asSession('GET', SESSION)).body.code).toBe('session_ended');
  });
});

describe('a session', () => {
  it.each([
    ['a request without the header of the console', 'GET', '/api/v1/alerts', { 'X-Tidewatch-Console': '' }],
    ['a change from another origin', 'POST', '/api/v1/markers', { Origin: 'https://evil.example' }],
    ['a read from another site', 'GET', '/api/v1/alerts', { 'Sec-Fetch-Site': 'cross-site' }],
    ['an export from another site', 'GET', '/api/v1/alerts?format=csv', { 'Sec-Fetch-Site': 'cross-site' }],
    ['the session from another site', 'GET', SESSION, { 'Sec-Fetch-Site': 'same-site' }],
    ['a sign-out from another site', 'DELETE', SESSION, { Origin: 'null' }],
  ])('refuses %s', async (_, method, path, headers) => {
    const { asSession } = await signedIn('admin');
    const before = await crossSiteRequests();
    const { status, body } = await asSession(method, path, {}, headers);
    expect([status, body.code]).toEqual([403, 'cross_site']);
    expect((await asSession('GET', SESSION)).status).toBe(200);
    expect(await crossSiteRequests()).toBe(before + 1);
  });

  it('refuses a sign-in from another site', async () => {
    expect((await signIn('admin', {}, { 'Sec-Fetch-Site': 'cross-site' })).body.code).toBe('cross_site');
    const plain = await api.call('POST', SESSION, { key: null, body: { key: 'admin' } });
    expect(plain.body.code).toBe('cross_site');
  });

  it('takes requests of the console under its public URL and under the address of the server', async () => {
    const { asSession } = await signedIn('admin');
    for (const Origin of ['https://tidewatch.example', api.url])
      expect((await asSession('GET', SESSION, {}, { Origin })).status).toBe(200);
  });

  it('exports by a plain link', async () => {
    const { cookie } = await signedIn('reader');
    const asLink = (path: string) =>
      api.get(path, { key: null, headers: { cookie, 'Sec-Fetch-Site': 'same-origin' } });
    const { status, headers } = await asLink('/api/v1/alerts?format=csv');
    expect([status, headers.get('cross-origin-resource-policy')]).toEqual([200, 'same-origin']);
    expect((await asLink('/api/v1/alerts?format=json')).body.code).toBe('cross_site');
    expect((await asLink('/api/v1/keys?format=csv')).body.code).toBe('cross_site');
  });

  it('is ignored in a request with a key', async () => {
    const { asSession } = await signedIn('admin');
    const { status, body } = await asSession(
      'GET',
      SESSION,
      {},
      { 'X-API-Key': 'reader', 'X-Tidewatch-Console': '' },
    );
    expect([status, body.key.name, body.session]).toEqual([200, 'reader', null]);
    expect((await asSession('GET', SESSION, {}, { 'X-API-Key': 'wrong' })).body.code).toBe('key_invalid');
  });

  it('ends by signing out, at once', async () => {
    const { asSession, answer } = await signedIn('admin');
    const { id } = answer.body.session;
    const out = await asSession('DELETE', SESSION);
    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toMatch(/^tidewatch-\d{8}=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect((await asSession('GET', SESSION)).body.code).toBe('session_ended');
    const { body } = await api.get(`/api/v1/audit?object_id=${id}`);
    expect(body.audit).toMatchObject([
      { action: 'session.ended', object: { id }, actor: { name: 'admin', session_id: id } },
      { action: 'session.created', object: { id }, actor: { name: 'admin', session_id: id } },
    ]);
  });

  it('has nothing to end for a key', async () => {
    expect((await api.call('DELETE', SESSION)).status).toBe(404);
    expect((await api.call('POST', `${SESSION}/confirm`, { body: { key: 'admin' } })).status).toBe(404);
  });

  it('ends with its key within ten seconds', async () => {
    const key = await api.call('POST', '/api/v1/keys', { body: { name: 'short', scopes: ['read'] } });
    const { asSession } = await signedIn(key.body.secret);
    expect((await api.call('DELETE', `/api/v1/keys/${key.body.id}`)).status).toBe(204);
    api.clock.now += 10_000;
    expect((await asSession('GET', SESSION)).body.code).toBe('session_ended');
  });

  it('ends after fourteen days without a request, also in a process that saw none of its requests', async () => {
    const { asSession, answer } = await signedIn('reader');
    const usedElsewhere = () => api.sql`
      update sessions set last_used_at = ${api.clock.now}::timestamptz where id = ${answer.body.session.id}`;
    api.clock.now += 14 * DAY_MS - 1;
    expect((await asSession('GET', SESSION)).status).toBe(200);
    api.clock.now += 14 * DAY_MS;
    await usedElsewhere();
    expect((await asSession('GET', SESSION)).status).toBe(200);
    api.clock.now += 14 * DAY_MS;
    expect((await asSession('GET', SESSION)).body.code).toBe('session_ended');
  });

  it('ends after ninety days in any case', async () => {
    const { asSession } = await signedIn('reader');
    for (let days = 0; days < 90; days += 10) {
      expect((await asSession('GET', SESSION)).status).toBe(200);
      api.clock.now += 10 * DAY_MS;
    }
    expect((await asSession('GET', SESSION)).body.code).toBe('session_ended');
  });

  it('manages for an hour after sign-in, and for another after each confirmation', async () => {
    const { asSession, answer } = await signedIn('admin');
    const confirm = (key: string) => asSession('POST', `${SESSION}/confirm`, { body: { key } });
    expect((await asSession('GET', '/api/v1/keys')).status).toBe(200);
    api.clock.now += 60 * MINUTE_MS;
    const refused = await asSession('GET', '/api/v1/keys');
    expect([refused.status, refused.body.code]).toEqual([403, 'confirmation_needed']);
    expect((await asSession('POST', '/api/v1/markers', { body: { title: 'x' } })).status).toBe(201);
    expect((await confirm('wrong')).body.code).toBe('key_invalid');
    expect((await confirm('operator')).body.errors).toMatchObject([{ path: '/key', code: 'other_key' }]);
    const confirmed = await confirm('admin');
    expect(confirmed.body.confirmed_until).toBe(new Date(api.clock.now + 60 * MINUTE_MS).toISOString());
    expect((await asSession('GET', '/api/v1/keys')).status).toBe(200);
    const { body } = await api.get(
      `/api/v1/audit?action=session.confirmed&object_id=${answer.body.session.id}`,
    );
    expect(body.audit).toHaveLength(1);
  });

  it('is named in what it changes', async () => {
    const { asSession, answer } = await signedIn('admin');
    const marker = await asSession('POST', '/api/v1/markers', { body: { title: 'x' } });
    const { id } = answer.body.session;
    expect(marker.body.created_by).toEqual({ key_id: answer.body.key.id, name: 'admin', session_id: id });
    const { body } = await api.get(`/api/v1/audit?object_id=${marker.body.id}`);
    expect(body.audit).toMatchObject([{ actor: { session_id: id } }]);
  });

  it('closes its event stream when it ends', async () => {
    const { asSession, cookie } = await signedIn('reader');
    const stream = await fetch(`${api.url}/api/v1/events`, { headers: { ...CONSOLE_HEADERS, cookie } });
    expect(stream.status).toBe(200);
    const read = stream.text();
    await asSession('DELETE', SESSION);
    expect(await read).toMatch(/:|retry/);
  });
});
