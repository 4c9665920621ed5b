import { startIdentityProvider } from '@tidewatch/harness/identity-provider';
import { openForFile } from '@tidewatch/harness/opened';
import { readConfig } from '@tidewatch/runtime/settings/config';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';
import { createBrowsers } from '../testing/sessions.harness.ts';
import { openSignOn as openHarness } from '../testing/sign-on.harness.ts';
import { openSignOn } from './open-sign-on.ts';
import { signOnSettings } from './sign-on-settings.ts';

const SESSION = '/api/v1/session';
const GROUPS = { groups: [{ group: 'staff', scopes: ['write'] }] };

// Without auth_time and with thin ID tokens, as some providers send them.
const PROVIDER = { groups: GROUPS, saysWhen: false, hasThinTokens: true };
const harness = await openForFile(openHarness(PROVIDER, { TIDEWATCH_KEY_SIGN_IN: 'off' }));
harness.provider.accounts.set('anna', { email: 'anna@example.com', groups: ['staff'] });
await createBrowsers(harness.api);
const api = await openForFile(openApi());

describe('with TIDEWATCH_KEY_SIGN_IN=off', () => {
  const linkOf = async (kind: string) => {
    const body = { kind, name: 'link', scopes: ['read'] };
    const { url } = (await harness.api.call('POST', '/api/v1/sign-in-links', { body })).body;
    return { link: url.split('#link=')[1] };
  };

  it('the server says that the identity provider alone signs people in', async () => {
    const { body } = await harness.browser().ask('GET', `${SESSION}/methods`);
    expect(body).toEqual({ key: false, single_sign_on: { name: 'Example SSO' } });
  });

  it('neither a key nor its link signs a person in, and a key is not even looked up', async () => {
    const earlier = await linkOf('display');
    await harness.api.sql`update sign_in_links set kind = 'person'`;
    for (const body of [{ key: 'admin' }, { key: 'guess' }, earlier]) {
      const answer = await harness.browser().ask('POST', SESSION, body);
      expect([answer.status, answer.body.code]).toEqual([403, 'key_sign_in_off']);
    }
  });

  it('a key makes no link for a person', async () => {
    const body = { name: 'phone', scopes: ['read'] };
    const answer = await harness.api.call('POST', '/api/v1/sign-in-links', { body });
    expect([answer.status, answer.body.code]).toEqual([403, 'key_sign_in_off']);
  });

  it('a key goes on for programs, and its link for displays', async () => {
    expect((await harness.api.get('/api/v1/keys')).status).toBe(200);
    const { status, body } = await harness.browser().ask('POST', SESSION, await linkOf('display'));
    expect([status, body.session.kind]).toEqual([201, 'display']);
  });

  it('a user signs in, also where the claims come from the userinfo endpoint, and cannot confirm with a key', async () => {
    const browser = harness.browser();
    expect((await browser.signIn('anna')).answer.status).toBe(303);
    const { body } = await browser.ask('GET', SESSION);
    expect(body).toMatchObject({
      key: { kind: 'person', name: 'anna@example.com' },
      scopes: ['read', 'write'],
    });
    const confirmed = await browser.ask('POST', `${SESSION}/confirm`, { key: 'admin' });
    expect([confirmed.status, confirmed.body.code]).toEqual([403, 'key_sign_in_off']);
  });

  it('a user makes a link for a phone that lasts 12 hours, once confirmed, and none for a display', async () => {
    const browser = harness.browser();
    await browser.signIn('anna');
    const make = (kind: string) =>
      browser.ask('POST', '/api/v1/sign-in-links', { kind, name: 'phone', scopes: ['read'] });
    expect((await make('person')).body.code).toBe('confirmation_needed');
    const { answer } = await browser.signIn('anna', { purpose: 'confirm' });
    expect(answer.status).toBe(303);
    expect((await make('display')).body.errors).toMatchObject([{ path: '/kind', code: 'needs_key' }]);
    const { url } = (await make('person')).body;
    const signedIn = await harness.browser().ask('POST', SESSION, { link: url.split('#link=')[1] });
    const { created_at: from, expires_at: to } = signedIn.body.session;
    expect(Date.parse(to) - Date.parse(from)).toBe(12 * 3_600_000);
  });
});

describe('without an identity provider', () => {
  it('nobody is offered single sign-on, and none begins', async () => {
    const headers = { 'X-Tidewatch-Console': '1' };
    const methods = await api.get(`${SESSION}/methods`, { key: null, headers });
    expect(methods.body).toEqual({ key: true, single_sign_on: null });
    const empty = await api.get(`${SESSION}/methods`, { key: '', headers });
    expect([empty.status, empty.body]).toEqual([200, methods.body]);
    const bearer = { key: null, headers: { ...headers, Authorization: 'Bearer tw_unknown' } };
    for (const unknown of [{ key: 'tw_unknown', headers }, bearer]) {
      const refused = await api.get(`${SESSION}/methods`, unknown);
      expect([refused.status, refused.body.code]).toEqual([401, 'key_invalid']);
    }
    const begun = await api.call('POST', `${SESSION}/sign-on`, { key: null, body: {}, headers });
    expect([begun.status, begun.body.code]).toEqual([404, 'not_found']);
    expect((await api.get('/sign-in/callback', { key: null })).body.code).toBe('not_found');
  });

  it('a start with a file of groups that names an organization which does not exist is refused', async () => {
    const nowhere = `org_${'0'.repeat(32)}`;
    const grants = [
      { group: 'staff', scopes: ['read'], organization: api.organizationId },
      { group: 'others', scopes: ['read'], organization: nowhere },
    ];
    const provider = await startIdentityProvider({ groups: { groups: grants } });
    const config = readConfig(signOnSettings, provider.settings);
    const logger = createSilentLogger();
    const { parts } = openSignOn({ config, sql: api.ownSql, clock: () => api.clock.now, logger });
    await expect(parts[0]?.start?.()).rejects.toThrow(`names organizations that do not exist: ${nowhere}.`);
    await provider.close();
  });
});
