import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForFile } from '@tidewatch/harness/opened';
import { UnsecuredJWT } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { openSignOn, type SignOnHarness } from '../testing/sign-on.harness.ts';

const GROUPS = {
  groups: [
    { group: 'admins', scopes: ['admin'] },
    { group: 'on-call', scopes: ['write'] },
    { group: 'staff', scopes: ['read'] },
  ],
};
const SESSION = '/api/v1/session';

const harness = await openForFile(openSignOn({ groups: GROUPS }));
const { accounts } = harness.provider;
accounts.set('anna', { email: 'anna@example.com', email_verified: true, groups: ['staff', 'on-call'] });
accounts.set('root', { email: 'root@example.com', groups: ['admins'] });
accounts.set('guest', { email: 'guest@example.com', groups: ['visitors'] });
accounts.set('none', { email: 'none@example.com' });
accounts.set('mute', { groups: ['staff'] });
accounts.set('forged', { email: 'root@example.com', email_verified: false, groups: ['staff'] });

afterEach(() => {
  harness.provider.spoil = null;
  harness.provider.misbehave = null;
});

/** By the clock of the API, which stands still, s since the epoch. */
const anHourAgo = () => Math.floor((harness.api.clock.now - HOUR_MS) / 1_000) - 1;

/** Signs in with a browser of its own. */
async function signedIn(...given: Parameters<ReturnType<SignOnHarness['browser']>['signIn']>) {
  const browser = harness.browser();
  return { browser, ...(await browser.signIn(...given)) };
}

const identityOf = async (browser: ReturnType<SignOnHarness['browser']>) =>
  (await browser.ask('GET', SESSION)).body;

describe('signing in with the identity provider', () => {
  it('is offered by its name, also to somebody who is signed in nowhere', async () => {
    const { body } = await harness.browser().ask('GET', `${SESSION}/methods`);
    expect(body).toEqual({ key: true, single_sign_on: { name: 'Example SSO' } });
  });

  it('keeps what the response is compared with in an encrypted cookie for ten minutes, and sends PKCE', async () => {
    const { body, headers } = await harness.browser().begin({ to: '/alerts' });
    expect(headers.get('set-cookie')).toMatch(
      /^tidewatch-sign-on-\d{8}=[\w-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const { origin, pathname, searchParams } = new URL(body.url);
    expect([origin, pathname]).toEqual([harness.provider.issuer, '/auth']);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: 'https://tidewatch.example/sign-in/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers.get('set-cookie')).not.toContain(searchParams.get('state'));
  });

  it('opens the page that was asked for, with a session of a person, named by email, for 12 hours', async () => {
    const { browser, answer } = await signedIn('anna', { to: '/alerts?status=all#top' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/alerts?status=all#top']);
    const cookie = answer.headers.getSetCookie().find((line) => !line.includes('sign-on'));
    expect(cookie).toMatch(/^tidewatch-\d{8}=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^tidewatch-\d{8}$/)]);
    const identity = await identityOf(browser);
    expect(identity).toMatchObject({
      key: { kind: 'person', name: 'anna@example.com', scopes: ['read', 'write'] },
      scopes: ['read', 'write'],
      organization: { id: harness.api.organizationId },
      session: { kind: 'person', name: null },
    });
    const lasts = Date.parse(identity.session.expires_at) - harness.api.clock.now;
    expect(Math.round(lasts / HOUR_MS)).toBe(12);
  });

  it('makes one key without a secret for a user, whose sign-ins and changes are in the audit log', async () => {
    const { browser } = await signedIn('root');
    await harness.browser().signIn('root');
    const marker = await browser.ask('POST', '/api/v1/markers', { title: 'by a person' });
    expect(marker.body.created_by).toMatchObject({ name: 'root@example.com' });
    const { body } = await harness.api.get('/api/v1/keys');
    const own = body.keys.filter(({ name }: { name: string }) => name === 'root@example.com');
    expect(own).toMatchObject([
      { kind: 'person', prefix: '', scopes: ['read', 'write', 'admin'], created_by: null },
    ]);
    const { audit } = (await harness.api.get(`/api/v1/audit?key_id=${own[0].id}`)).body;
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'marker.created',
      'session.created',
      'session.created',
      'key.created',
    ]);
    const [stored] = await harness.api.sql`select secret_sha256 from api_keys where id = ${own[0].id}`;
    expect(stored?.secret_sha256).toBeNull();
    const rotated = await harness.api.call('POST', `/api/v1/keys/${own[0].id}/rotate`, { key: 'operator' });
    expect([rotated.status, rotated.body.code]).toEqual([409, 'conflict']);
  });

  it('grants only reading where that was asked for', async () => {
    const { browser } = await signedIn('anna', { read_only: true });
    expect((await identityOf(browser)).scopes).toEqual(['read']);
  });

  it('gives a user whose groups and address changed the new ones at the next sign-in', async () => {
    accounts.set('mover', { email: 'old@example.com', groups: ['on-call'] });
    const first = harness.browser();
    await first.signIn('mover');
    const { id } = (await identityOf(first)).key;
    accounts.set('mover', { email: 'new@example.com', groups: ['staff'] });
    const second = harness.browser();
    await second.signIn('mover');
    expect((await identityOf(second)).key).toEqual({
      id,
      kind: 'person',
      name: 'new@example.com',
      scopes: ['read'],
    });
    harness.api.clock.now += 10_000;
    expect((await identityOf(first)).scopes).toEqual(['read']);
    const { audit } = (await harness.api.get(`/api/v1/audit?action=key.updated&object_id=${id}`)).body;
    expect(audit).toMatchObject([
      { before: { name: 'old@example.com' }, after: { name: 'new@example.com', scopes: ['read'] } },
    ]);
  });

  it('replaces the session that the browser had before', async () => {
    const { browser } = await signedIn('anna');
    const { id } = (await identityOf(browser)).session;
    await browser.signIn('anna');
    expect((await identityOf(browser)).session.id).not.toBe(id);
    expect(await harness.api.sql`select 1 from sessions where id = ${id}`).toHaveLength(0);
  });

  it('ends within ten seconds when the key is revoked, and is refused afterwards', async () => {
    harness.provider.accounts.set('gone', { email: 'gone@example.com', groups: ['admins'] });
    const { browser } = await signedIn('gone');
    const { id } = (await identityOf(browser)).key;
    expect((await harness.api.call('DELETE', `/api/v1/keys/${id}`)).status).toBe(204);
    harness.api.clock.now += 10_000;
    expect((await browser.ask('GET', SESSION)).body.code).toBe('session_ended');
    const { answer } = await harness.browser().signIn('gone');
    expect([answer.status, answer.text]).toEqual([
      401,
      expect.stringContaining('An administrator has revoked the access of gone@example.com.'),
    ]);
  });

  it.each([
    ['guest', 'No group of guest@example.com has access to Tidewatch. The identity provider sent: visitors.'],
    ['none', 'The identity provider sent no groups in the claim groups.'],
    ['mute', 'The identity provider sent no email address'],
    ['forged', 'The identity provider has not verified the address root@example.com.'],
  ])('refuses %s with the reason, on a page that leads back', async (login, reason) => {
    const { browser, answer } = await signedIn(login, { to: '/rules?q=a' });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(`<h1>No access</h1>`);
    expect(answer.text).toContain(reason);
    expect(answer.text).toContain('<a href="/sign-in?to=%2Frules%3Fq%3Da">Sign in again</a>');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('refuses a user who refused at the provider, without a word of the provider', async () => {
    const { answer } = await harness.browser().signIn('');
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('The identity provider refused the sign-in (access_denied).');
    expect(answer.text).not.toContain('The user has refused');
  });
});

describe('a response that does not belong to the sign-in is refused:', () => {
  it('one without a sign-in in this browser, and one with a wrong state', async () => {
    const { back } = await signedIn('anna');
    expect((await harness.browser().open(back)).status).toBe(401);
    const browser = harness.browser();
    await browser.begin();
    const wrong = await browser.open(back, { Accept: 'application/json' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_on_expired']);
    // A forged response does not end a sign-in that is under way.
    const { answer } = await browser.signIn('anna');
    expect(answer.status).toBe(303);
  });

  it('a state that was used already, with the cookie of its sign-in', async () => {
    const browser = harness.browser();
    await browser.begin();
    const cookies = [...browser.cookies];
    const { body } = await browser.begin();
    const taken = [...browser.cookies];
    expect(taken).not.toEqual(cookies);
    const state = new URL(body.url).searchParams.get('state');
    const back = new URL(
      `https://tidewatch.example/sign-in/callback?code=x&state=${state}&iss=${encodeURIComponent(harness.provider.issuer)}`,
    );
    expect((await browser.open(back)).text).toContain('no longer takes the code of this sign-in');
    for (const [name, value] of taken) browser.cookies.set(name, value);
    const again = await browser.open(back, { Accept: 'application/json' });
    expect([again.status, again.body.code]).toEqual([401, 'sign_on_expired']);
  });

  it('a code that has expired or was used', async () => {
    const { back } = await signedIn('anna');
    const browser = harness.browser();
    const { body } = await browser.begin();
    back.searchParams.set('state', new URL(body.url).searchParams.get('state') as string);
    const answer = await browser.open(back);
    expect([answer.status, answer.text]).toEqual([
      401,
      expect.stringContaining('no longer takes the code of this sign-in (invalid_grant)'),
    ]);
  });

  it('one of another provider (RFC 9207)', async () => {
    const browser = harness.browser();
    const { body } = await browser.begin();
    const state = new URL(body.url).searchParams.get('state');
    const query = `code=x&state=${state}&iss=${encodeURIComponent('https://evil.example')}`;
    const answer = await browser.open(new URL(`https://tidewatch.example/sign-in/callback?${query}`));
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('does not belong')]);
  });

  const seconds = () => Math.floor(Date.now() / 1_000);
  it.each<[string, NonNullable<SignOnHarness['provider']['spoil']>]>([
    ['an ID token with the algorithm none', async (claims) => new UnsecuredJWT(claims).encode()],
    ['an ID token that was changed after it was signed', async (claims, sign) => forged(await sign(claims))],
    ['an ID token with a wrong nonce', (claims, sign) => sign({ ...claims, nonce: 'other' })],
    ['an ID token without a nonce', ({ nonce: _, ...claims }, sign) => sign(claims)],
    ['an ID token of another issuer', (claims, sign) => sign({ ...claims, iss: 'https://evil.example' })],
    ['an ID token for another client', (claims, sign) => sign({ ...claims, aud: 'other' })],
    ['an ID token that has expired', (claims, sign) => sign({ ...claims, exp: seconds() - 60 })],
    ['an ID token of the future', (claims, sign) => sign({ ...claims, nbf: seconds() + 600 })],
    ['what is no ID token', async () => 'nonsense'],
  ])('%s', async (_, spoil) => {
    harness.provider.spoil = spoil;
    const { browser, answer } = await signedIn('anna');
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('does not belong to this sign-in, or is not signed as it must be');
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  /** The token with other claims under the same signature. */
  function forged(token: string): string {
    const [header, body = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...claims, groups: ['admins'] })).toString('base64url');
    return [header, changed, signature].join('.');
  }
});

describe('a sign-in leads nowhere else:', () => {
  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', '/api/v1/keys'])(
    'to %s',
    async (to) => {
      const { status, body } = await harness.browser().begin({ to });
      expect([status, body.errors]).toMatchObject([422, [{ path: '/to', code: 'no_page' }]]);
    },
  );

  it('and does not begin at another site', async () => {
    const { api } = harness;
    const from = (headers: object) =>
      api.call('POST', '/api/v1/session/sign-on', { key: null, body: {}, headers });
    expect((await from({})).body.code).toBe('cross_site');
    const console = { 'X-Tidewatch-Console': '1' };
    expect((await from({ ...console, Origin: 'https://evil.example' })).body.code).toBe('cross_site');
    const elsewhere = await from({ ...console, Origin: api.url });
    expect(elsewhere.body.detail).toContain('sends browsers back to https://tidewatch.example.');
    expect((await from({ ...console, Origin: 'https://tidewatch.example' })).status).toBe(200);
  });
});

describe('a confirmation', () => {
  it('needs a new login at the provider, and opens the privileged scopes again', async () => {
    harness.provider.spoil = (sent, sign) => sign({ ...sent, auth_time: anHourAgo() });
    const { browser } = await signedIn('root');
    const { session } = await identityOf(browser);
    // A sign-in counts as a confirmation from when the user proved who it is.
    expect((await browser.ask('GET', '/api/v1/keys')).body.code).toBe('confirmation_needed');
    expect((await browser.signIn('root')).wasAsked).toBe(false);
    harness.provider.spoil = null;
    const { answer, wasAsked } = await browser.signIn('root', { purpose: 'confirm', to: '/rules' });
    expect([answer.status, answer.headers.get('location'), wasAsked]).toEqual([303, '/rules', true]);
    expect((await browser.ask('GET', '/api/v1/keys')).status).toBe(200);
    const confirmed = await identityOf(browser);
    expect(confirmed.session.id).not.toBe(session.id);
    const { audit } = (await harness.api.get(`/api/v1/audit?object_id=${confirmed.session.id}`)).body;
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      'session.confirmed',
      'session.created',
    ]);
  });

  it('is refused for another user, and without a session', async () => {
    const { browser } = await signedIn('root');
    const { answer } = await browser.signIn('anna', { purpose: 'confirm' }, { forgets: true });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('You signed in as anna@example.com, and the session is of root@example.com.'),
    ]);
    const refused = await harness.browser().begin({ purpose: 'confirm' });
    expect([refused.status, refused.body.code]).toEqual([401, 'session_ended']);
  });

  it.each([
    ['did not ask the user again', { auth_time: anHourAgo() }, 401],
    ['does not say when the user signed in', { auth_time: undefined }, 403],
  ])('is refused where the provider %s', async (_, claims, status) => {
    const { browser } = await signedIn('root');
    harness.provider.spoil = (sent, sign) => sign({ ...sent, ...claims });
    const { answer } = await browser.signIn('root', { purpose: 'confirm' });
    expect(answer.status).toBe(status);
  });
});

describe('an identity provider that does not work', () => {
  it.each<[string, NonNullable<SignOnHarness['provider']['misbehave']>]>([
    ['answers 500', (_, response) => response.writeHead(500).end('<h1>Oops</h1>') !== undefined],
    [
      'redirects',
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end() !== undefined,
    ],
    ['answers HTML', (_, response) => response.writeHead(200).end('<h1>Hello</h1>') !== undefined],
    ['closes the connection', (request) => request.destroy() !== undefined],
    ['answers without end', (_, response) => flood(response)],
  ])('is named on a clear page where it %s', async (_, misbehave) => {
    harness.provider.misbehave = (request, response) =>
      request.url === '/token' && misbehave(request, response);
    const { answer } = await harness.browser().signIn('anna');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.text).toContain('<h1>Identity provider unavailable</h1>');
    expect(answer.text).not.toMatch(/Oops|Hello/);
  });

  /** Sends bytes until the other side closes the connection. */
  function flood(response: import('node:http').ServerResponse): boolean {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const send = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', send);
    send();
    return true;
  }
});

// Last, since the time of the API cannot go back.
describe('in time', () => {
  it('a sign-in has to come back within ten minutes', async () => {
    const browser = harness.browser();
    await browser.begin();
    const [[name = '', value = ''] = []] = browser.cookies;
    const { back } = await harness.browser().signIn('anna');
    harness.api.clock.now += 10 * MINUTE_MS;
    browser.cookies.set(name, value);
    const answer = await browser.open(back, { Accept: 'application/json' });
    expect([answer.status, answer.body.code]).toEqual([401, 'sign_on_expired']);
  });

  it('a session ends after 12 hours, used or not', async () => {
    const { browser } = await signedIn('anna');
    harness.api.clock.now += 12 * HOUR_MS - MINUTE_MS;
    expect((await browser.ask('GET', SESSION)).status).toBe(200);
    harness.api.clock.now += MINUTE_MS;
    expect((await browser.ask('GET', SESSION)).body.code).toBe('session_ended');
  });
});
