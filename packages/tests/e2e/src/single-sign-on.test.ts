import {
  createProviderBrowser,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@tidewatch/harness/identity-provider';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, SEEN, uniqueName } from './client.ts';
import { isGiven, openTarget, type Target } from './target.ts';

const CONSOLE = { 'x-tidewatch-console': '1' };
const GROUPS = {
  groups: [
    { group: 'admins', scopes: ['admin'] },
    { group: 'staff', scopes: ['read'] },
  ],
};

// A service that was given has no settings of this suite.
describe.skipIf(isGiven)('single sign-on', () => {
  let provider: TestIdentityProvider;
  let target: Target;
  let admin: Client;

  beforeAll(async () => {
    provider = await startIdentityProvider({ groups: GROUPS });
    provider.accounts.set('anna', { email: 'anna@example.com', email_verified: true, groups: ['admins'] });
    provider.accounts.set('guest', { email: 'guest@example.com', groups: ['visitors'] });
    target = await openTarget(provider.settings);
    provider.serve(`${target.url}/sign-in/callback`);
    admin = createClient(target);
  });
  afterEach(() => {
    provider.spoil = null;
  });
  afterAll(async () => {
    await target?.close();
    await provider?.close();
  });

  /** A browser, with its cookies of Tidewatch and at the provider. */
  function browser() {
    const client = createClient({ url: target.url, key: '' });
    const signInAt = createProviderBrowser();
    const cookies = new Map<string, string>();
    const header = () => [...cookies].map((entry) => entry.join('=')).join('; ');

    function keep(headers: Headers): void {
      for (const line of headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    }

    async function ask(method: string, path: string, body?: unknown) {
      const answer = await client.ask(method, path, body, { ...CONSOLE, cookie: header() });
      keep(answer.headers);
      return answer;
    }

    async function comeBack(back: URL) {
      const page = await fetch(back, {
        redirect: 'manual',
        headers: { cookie: header(), accept: 'text/html' },
      });
      keep(page.headers);
      return { status: page.status, location: page.headers.get('location'), text: await page.text() };
    }

    async function signIn(login: string, body: object = {}) {
      const begun = await ask('POST', '/session/sign-on', body);
      expect(begun.status, JSON.stringify(begun.body)).toBe(200);
      const { back } = await signInAt(begun.body.url, login);
      return { back, page: await comeBack(back) };
    }

    return { ask, comeBack, cookies, signIn };
  }

  it('leads from the console to the provider and back to the page that was asked for', async () => {
    const anna = browser();
    expect((await anna.ask('GET', '/session/methods')).body).toEqual({
      key: true,
      single_sign_on: { name: 'Example SSO' },
    });
    const { back, page } = await anna.signIn('anna', { to: '/alerts?status=all' });
    expect(back.origin + back.pathname).toBe(`${target.url}/sign-in/callback`);
    expect([page.status, page.location]).toEqual([303, '/alerts?status=all']);
    const { body } = await anna.ask('GET', '/session');
    expect(body).toMatchObject({
      key: { kind: 'person', name: 'anna@example.com' },
      scopes: ['read', 'write', 'admin'],
    });
    const again = await anna.comeBack(back);
    expect([again.status, again.text]).toEqual([401, expect.stringContaining('Sign-in not under way')]);
  });

  it('names the user in what was changed and in the audit log', async () => {
    const anna = browser();
    await anna.signIn('anna');
    const marker = await anna.ask('POST', '/markers', { title: uniqueName('marker') });
    expect(marker.body.created_by.name).toBe('anna@example.com');
    const recorded = async () => {
      const { audit } = await admin.expect(200, 'GET', `/audit?object_id=${marker.body.id}`);
      return audit.map(({ actor }: { actor: { name: string } }) => actor.name);
    };
    await expect.poll(recorded, SEEN).toEqual(['anna@example.com']);
  });

  it('refuses a user without a mapped group, with the reason', async () => {
    const guest = browser();
    const { page } = await guest.signIn('guest');
    expect(page.status).toBe(403);
    expect(page.text).toContain('No group of guest@example.com has access to Tidewatch.');
    expect((await guest.ask('GET', '/session')).body.code).toBe('key_missing');
  });

  it('confirms privileged scopes by a new login', async () => {
    provider.spoil = (claims, sign) => sign({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 7_200 });
    const anna = browser();
    await anna.signIn('anna');
    expect((await anna.ask('GET', '/keys')).body.code).toBe('confirmation_needed');
    provider.spoil = null;
    const { page } = await anna.signIn('anna', { purpose: 'confirm', to: '/rules' });
    expect([page.status, page.location]).toEqual([303, '/rules']);
    expect((await anna.ask('GET', '/keys')).status).toBe(200);
  });

  it('ends in every process within ten seconds when the key of the user is revoked', async () => {
    provider.accounts.set('leaver', { email: 'leaver@example.com', groups: ['staff'] });
    const leaver = browser();
    await leaver.signIn('leaver');
    const { key } = (await leaver.ask('GET', '/session')).body;
    await admin.expect(204, 'DELETE', `/keys/${key.id}`);
    const code = async () => (await leaver.ask('GET', '/alerts')).body.code;
    await expect.poll(code, { timeout: 10_000, interval: 100 }).toBe('session_ended');
    expect((await leaver.signIn('leaver')).page.text).toContain(
      'has revoked the access of leaver@example.com',
    );
  });
});
