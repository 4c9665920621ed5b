import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';
import { createBrowsers } from '../testing/sessions.harness.ts';

const api = await openForFile(openApi({ sessionsLimit: 40, signInLinksLimit: 12 }));
const browsers = await createBrowsers(api);
/** Keys of people, which only this suite uses. */
const [anna, bert] = [await makeKey('Anna', ['write']), await makeKey('Bert', ['write'])];

// So that no test uses up the sign-ins of the next one.
beforeEach(() => {
  api.clock.now += MINUTE_MS;
});

async function makeKey(name: string, scopes: string[]): Promise<{ id: string; secret: string }> {
  const { status, body, text } = await api.call('POST', '/api/v1/keys', { body: { name, scopes } });
  expect(status, text).toBe(201);
  return { id: body.id, secret: body.secret };
}

const idsOf = (sessions: { id: string }[]) => sessions.map(({ id }) => id);

describe('the list of sessions', () => {
  it('has the own ones, and for admin those of the organization', async () => {
    const own = [await browsers.signIn(anna.secret), await browsers.signIn(anna.secret, { read_only: true })];
    const other = await browsers.signIn(bert.secret);
    const foreign = await browsers.signIn('stranger');
    const seen = await own[0]?.ask('GET', '/api/v1/sessions');
    expect(idsOf(seen?.body.sessions)).toEqual(own.map(({ id }) => id));
    expect(seen?.body.sessions).toMatchObject([
      { current: true, key: { name: 'Anna' }, scopes: ['write'] },
      { current: false, scopes: ['read'] },
    ]);
    const readOnly = await own[1]?.ask('GET', '/api/v1/sessions');
    expect(idsOf(readOnly?.body.sessions)).toEqual([own[1]?.id]);
    const all = await api.walk('/api/v1/sessions', 'sessions', 'cursor', 2);
    expect(idsOf(all.seen as never)).toEqual(expect.arrayContaining([...own, other].map(({ id }) => id)));
    expect(idsOf(all.seen as never)).not.toContain(foreign.id);
  });

  it('leaves out sessions whose key was revoked, and those that are idle', async () => {
    const key = await makeKey('short', ['read']);
    const { id } = await browsers.signIn(key.secret);
    const listed = async () => idsOf((await api.get('/api/v1/sessions?limit=100')).body.sessions);
    expect(await listed()).toContain(id);
    await api.call('DELETE', `/api/v1/keys/${key.id}`);
    expect(await listed()).not.toContain(id);
  });

  it('of a session with admin has its own ones only, until it is confirmed', async () => {
    const browser = await browsers.signIn('admin');
    await browsers.signIn(bert.secret);
    const names = async () => {
      const { body } = await browser.ask('GET', '/api/v1/sessions?limit=100');
      return new Set(body.sessions.map(({ key }: { key: { name: string } }) => key.name));
    };
    expect(await names()).toContain('Bert');
    api.clock.now += 60 * MINUTE_MS;
    expect(await names()).toEqual(new Set(['admin']));
  });
});

describe('ending a session', () => {
  it('ends an own one, within ten seconds', async () => {
    const [phone, laptop] = [await browsers.signIn(anna.secret), await browsers.signIn(anna.secret)];
    expect((await laptop.ask('DELETE', `/api/v1/sessions/${phone.id}`)).status).toBe(204);
    api.clock.now += 10_000;
    expect((await phone.ask('GET', '/api/v1/session')).body.code).toBe('session_ended');
    expect((await laptop.ask('DELETE', `/api/v1/sessions/${phone.id}`)).status).toBe(404);
    const { body } = await api.get(`/api/v1/audit?object_id=${phone.id}&action=session.ended`);
    expect(body.audit).toMatchObject([{ actor: { name: 'Anna', session_id: laptop.id } }]);
  });

  it('finds none of another key, of more scopes, or of another organization', async () => {
    const owner = await browsers.signIn(anna.secret);
    const path = `/api/v1/sessions/${owner.id}`;
    const readOnly = await browsers.signIn(anna.secret, { read_only: true });
    for (const other of [await browsers.signIn(bert.secret), readOnly, await browsers.signIn('stranger')])
      expect((await other.ask('DELETE', path)).status).toBe(404);
    expect((await owner.ask('GET', '/api/v1/session')).status).toBe(200);
    expect((await api.call('DELETE', path)).status).toBe(204);
  });

  it('of others needs a confirmation', async () => {
    const [admin, other] = [await browsers.signIn('admin'), await browsers.signIn(bert.secret)];
    api.clock.now += 60 * MINUTE_MS;
    const path = `/api/v1/sessions/${other.id}`;
    expect((await admin.ask('DELETE', path)).body.code).toBe('confirmation_needed');
    await admin.ask('POST', '/api/v1/session/confirm', { body: { key: 'admin' } });
    expect((await admin.ask('DELETE', path)).status).toBe(204);
  });
});

describe('a sign-in link', () => {
  const linkOf = (url: string) => url.split('#link=')[1] as string;
  const make = (body: object, key = 'admin') => api.call('POST', '/api/v1/sign-in-links', { key, body });
  const open = (link: string, body: object = {}) =>
    api.call('POST', '/api/v1/session', {
      key: null,
      body: { link, ...body },
      headers: { 'X-Tidewatch-Console': '1' },
    });

  it('signs in one browser, once, with the scopes of the link, and stores its digest alone', async () => {
    const made = await make({ name: 'Carla', scopes: ['write'] });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      url: expect.stringMatching(/^https:\/\/tidewatch\.example\/sign-in#link=[\w-]{43}$/),
      expires_at: new Date(api.clock.now + 15 * MINUTE_MS).toISOString(),
    });
    const link = linkOf(made.body.url);
    const stored = await api.sql<{ row: string }[]>`select sign_in_links::text as row from sign_in_links`;
    expect(stored.some(({ row }) => row.includes(link))).toBe(false);
    const signedIn = await open(link);
    expect(signedIn.status, signedIn.text).toBe(201);
    expect(signedIn.body).toMatchObject({
      session: { kind: 'person', name: 'Carla', scopes: ['write'] },
      key: { name: 'admin', scopes: ['admin'] },
      scopes: ['write'],
    });
    const again = await open(link);
    expect([again.status, again.body.code]).toEqual([401, 'sign_in_link_used']);
    const { body } = await api.get('/api/v1/audit?object_type=sign_in_link');
    expect(body.audit[0]).toMatchObject({ action: 'sign_in_link.created', object: { name: 'Carla' } });
    expect(JSON.stringify(body)).not.toContain(link);
  });

  it('signs in one of two browsers that open it at the same time', async () => {
    const made = await make({ name: 'twice', scopes: ['read'] });
    const link = linkOf(made.body.url);
    const answers = await Promise.all([open(link), open(link), open(link)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401]);
  });

  it('works until its end, and is unknown after somebody guessed it', async () => {
    const made = await make({ name: 'late', scopes: ['read'] });
    api.clock.now += 15 * MINUTE_MS;
    expect((await open(linkOf(made.body.url))).body.code).toBe('sign_in_link_expired');
    expect((await open('guess')).body.code).toBe('sign_in_link_invalid');
  });

  it('of a display signs in for a year, to read', async () => {
    const made = await make({ kind: 'display', name: 'wall', scopes: ['read'] });
    const { body } = await open(linkOf(made.body.url));
    expect(body.session).toMatchObject({
      kind: 'display',
      scopes: ['read'],
      expires_at: new Date(api.clock.now + 365 * DAY_MS).toISOString(),
    });
  });

  it('of a key that was revoked signs in nobody', async () => {
    const key = await makeKey('leaver', ['read']);
    const made = await make({ name: 'leaver', scopes: ['read'] }, key.secret);
    await api.call('DELETE', `/api/v1/keys/${key.id}`);
    expect((await open(linkOf(made.body.url))).body.code).toBe('key_revoked');
  });

  it.each([
    ['more scopes than its maker has', { name: 'x', scopes: ['write'] }, 'reader', 'scope_missing'],
    ['scopes of an operator', { name: 'x', scopes: ['operator'] }, 'admin', 'scope_missing'],
    ['a key for agents', { name: 'x', scopes: ['read'] }, 'agent', 'scope_missing'],
    [
      'a display that cannot read',
      { kind: 'display', name: 'x', scopes: ['operator'] },
      'operator',
      'scope_missing',
    ],
    ['the scope ingest', { name: 'x', scopes: ['ingest'] }, 'admin', 'validation_failed'],
    ['no scopes', { name: 'x', scopes: [] }, 'admin', 'validation_failed'],
    ['no name', { scopes: ['read'] }, 'admin', 'validation_failed'],
    [
      'an end in the past',
      { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' },
      'admin',
      'validation_failed',
    ],
    [
      'an end beyond a week',
      { name: 'x', scopes: ['read'], expires_at: '2099-01-01T00:00:00Z' },
      'admin',
      'validation_failed',
    ],
  ])('is refused for %s', async (_, body, key, code) => {
    expect((await make(body, key)).body.code).toBe(code);
  });

  it('is made by a session only while that is confirmed', async () => {
    const browser = await browsers.signIn(anna.secret);
    const body = { name: 'phone', scopes: ['read'] };
    expect((await browser.ask('POST', '/api/v1/sign-in-links', { body })).status).toBe(201);
    api.clock.now += 60 * MINUTE_MS;
    expect((await browser.ask('POST', '/api/v1/sign-in-links', { body })).body.code).toBe(
      'confirmation_needed',
    );
  });

  it('is one of a limited number, as are sessions', async () => {
    const body = { name: 'many', scopes: ['read'] };
    const made = [];
    for (let index = 0; index < 13; index += 1) made.push((await make(body)).status);
    expect(made.at(-1)).toBe(422);
    api.clock.now += 15 * MINUTE_MS;
    expect((await make(body)).status).toBe(201);
    const signedIn = [];
    for (let index = 0; index < 21; index += 1) signedIn.push(await browsers.trySignIn(anna.secret));
    for (let index = 0; index < 21; index += 1) signedIn.push(await browsers.trySignIn(bert.secret));
    expect(signedIn.at(-1)?.body.code).toBe('limit_reached');
    api.clock.now += 14 * DAY_MS;
    expect((await browsers.trySignIn(anna.secret)).status).toBe(201);
  });
});
