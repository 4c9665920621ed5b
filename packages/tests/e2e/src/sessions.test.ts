import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-routes';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, inOwnOrganization, SEEN, uniqueName } from './client.ts';
import { readOperations } from './isolation/operations.ts';
import { openTarget, type Target } from './target.ts';

/** A revoked key or ended session stops within this time in every process, ms. */
const ENDS_WITHIN = { timeout: 10_000, interval: 100 };
const CONSOLE = { 'x-tidewatch-console': '1' };

const target = await openForFile(openTarget());
/** An organization of this suite's own, and its admin key. */
let own: Pick<Target, 'url' | 'key'>;
let admin: Client;

beforeAll(async () => {
  own = await inOwnOrganization(target);
  admin = createClient(own);
});

type Headers = Record<string, string>;

interface Browser {
  id: string;
  cookie: string;
  ask(method: string, path: string, body?: unknown, headers?: Headers): ReturnType<Client['ask']>;
}

/** A browser that is signed in with the key, and says where its requests come from as browsers do. */
async function signIn(key: string, body: object = {}): Promise<Browser> {
  const client = createClient({ url: target.url, key: '' });
  const answer = await client.ask('POST', '/session', { key, ...body }, CONSOLE);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask: Browser['ask'] = (method, path, sent, headers = {}) =>
    client.ask(method, path, sent, { ...CONSOLE, cookie, ...headers });
  return { id: answer.body.session.id, cookie, ask };
}

async function keyWith(scopes: string[]): Promise<{ id: string; secret: string }> {
  return admin.expect(201, 'POST', '/keys', { name: uniqueName('e2e'), scopes });
}

describe('a session', () => {
  it('is named after the installation, and its cookie is out of reach of scripts and other sites', async () => {
    const client = createClient({ url: target.url, key: '' });
    const { headers } = await client.ask('POST', '/session', { key: own.key }, CONSOLE);
    expect(headers.get('set-cookie')).toMatch(
      /^tidewatch-\d{8}=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('has a cookie of its own over HTTPS that a trusted proxy speaks', async () => {
    const client = createClient({ url: target.url, key: '' });
    const proxied = { ...CONSOLE, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'tidewatch.example' };
    const { status, headers } = await client.ask('POST', '/session', { key: own.key }, proxied);
    expect(status).toBe(201);
    const isTrusted = /^__Host-/.test(headers.get('set-cookie') ?? '');
    const expected = isTrusted
      ? /^__Host-tidewatch-\d{8}=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/
      : /^tidewatch-\d{8}=/;
    expect(headers.get('set-cookie')).toMatch(expected);
  });

  it('answers as its key does, and sends no samples', async () => {
    const browser = await signIn(own.key);
    const metric = uniqueName('m').replaceAll('-', '_');
    const rule = { name: metric, metric, condition: 'greater_than', threshold: 1 };
    expect((await browser.ask('POST', '/alerts/rules', rule)).status).toBe(201);
    expect((await browser.ask('GET', '/keys')).status).toBe(200);
    const payload = { host: uniqueName('host'), metrics: { [metric]: 1 } };
    expect((await browser.ask('POST', '/ingest', payload)).body.code).toBe('key_missing');
  });

  it('gives way to a key', async () => {
    const browser = await signIn(own.key);
    const { secret } = await keyWith(['read']);
    const asKey = await browser.ask('GET', '/session', undefined, { 'x-api-key': secret });
    expect(asKey.body).toMatchObject({ session: null, scopes: ['read'] });
    expect((await browser.ask('GET', '/keys', undefined, { 'x-api-key': secret })).body.code).toBe(
      'scope_missing',
    );
  });

  it('reads and changes nothing for other sites, on any endpoint', async () => {
    const browser = await signIn(own.key);
    const sources: [string, Headers][] = [
      ['a form, a link or an image over plain HTTP', { 'x-tidewatch-console': '' }],
      ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
      ['another port of the host', { 'sec-fetch-site': 'same-site' }],
      ['another origin over plain HTTP', { origin: 'http://evil.example' }],
    ];
    const operations = await readOperations(target.url);
    // Agents have keys, and no sessions.
    const ofAgents = new Set(INGEST_ROUTES.map(({ path }) => path));
    const asked = operations.filter(({ path }) => !ofAgents.has(path));
    expect(asked.length).toBeGreaterThan(50);
    for (const [what, headers] of sources) {
      const answers = await Promise.all(
        asked.map(async ({ method, path, example }) => {
          const target = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, 'some');
          const body = method === 'GET' || method === 'DELETE' ? undefined : (example ?? {});
          const { status, body: problem } = await browser.ask(method, target, body, headers);
          return `${method} ${path}: ${status} ${problem.code}`;
        }),
      );
      const expected = asked.map(({ method, path }) => `${method} ${path}: 403 cross_site`);
      expect(answers, what).toEqual(expected);
    }
    const exported = await browser.ask('GET', '/services?format=csv', undefined, {
      'sec-fetch-site': 'cross-site',
    });
    expect(exported.body.code).toBe('cross_site');
    expect((await browser.ask('GET', '/session')).status).toBe(200);
  });

  it('ends at once by signing out, and within ten seconds with its key, streams included', async () => {
    const key = await keyWith(['read']);
    const [first, second] = [await signIn(key.secret), await signIn(key.secret)];
    expect((await first.ask('DELETE', '/session')).status).toBe(204);
    await expect
      .poll(async () => (await first.ask('GET', '/session')).body.code, ENDS_WITHIN)
      .toBe('session_ended');
    expect((await second.ask('GET', '/session')).status).toBe(200);
    const stream = await fetch(`${target.url}/api/v1/events`, {
      headers: { ...CONSOLE, cookie: second.cookie },
    });
    expect(stream.status).toBe(200);
    let ended = false;
    const reading = stream.text().then(
      () => (ended = true),
      () => (ended = true),
    );
    await admin.expect(204, 'DELETE', `/keys/${key.id}`);
    await expect
      .poll(async () => (await second.ask('GET', '/alerts')).body.code, ENDS_WITHIN)
      .toBe('session_ended');
    await expect.poll(() => ended, ENDS_WITHIN).toBe(true);
    await reading;
  });

  it('is ended by another session of its key, within ten seconds', async () => {
    const key = await keyWith(['read']);
    const [lost, other] = [await signIn(key.secret), await signIn(key.secret)];
    const { sessions } = (await other.ask('GET', '/sessions')).body;
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual([lost.id, other.id]);
    expect((await other.ask('DELETE', `/sessions/${lost.id}`)).status).toBe(204);
    const code = async () => (await lost.ask('GET', '/alerts')).body.code;
    await expect.poll(code, ENDS_WITHIN).toBe('session_ended');
  });

  it('is in the audit log, and what it changes names it', async () => {
    const browser = await signIn(own.key);
    const marker = await browser.ask('POST', '/markers', { title: uniqueName('marker') });
    expect(marker.body.created_by.session_id).toBe(browser.id);
    await browser.ask('DELETE', '/session');
    const actions = async () => {
      const { audit } = await admin.expect(200, 'GET', `/audit?object_id=${browser.id}`);
      return audit.map(({ action, actor }: { action: string; actor: { session_id: string } }) => [
        action,
        actor.session_id,
      ]);
    };
    await expect.poll(actions, SEEN).toEqual([
      ['session.ended', browser.id],
      ['session.created', browser.id],
    ]);
  });
});

describe('a sign-in link', () => {
  it('signs in one browser, once, to where the server was asked', async () => {
    const made = await admin.expect(201, 'POST', '/sign-in-links', { name: 'phone', scopes: ['write'] });
    const [page, link] = made.url.split('#link=');
    expect(page).toMatch(/\/sign-in$/);
    const open = () => createClient({ url: target.url, key: '' }).ask('POST', '/session', { link }, CONSOLE);
    const first = await open();
    expect(first.body).toMatchObject({ session: { name: 'phone' }, scopes: ['write'] });
    const second = await open();
    expect([second.status, second.body.code]).toEqual([401, 'sign_in_link_used']);
  });
});
