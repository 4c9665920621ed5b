import { PROBLEM_CODES } from '@tidewatch/contracts/problems/problem-codes';
import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { type Answer, openApi } from './testing/query-api.harness.ts';

const api = await openForFile(openApi());

describe('the query API as a whole', () => {
  it.each(['services', 'alerts', 'alerts/rules'])(
    'an id that does not exist is 404 under %s',
    async (list) => {
      const prefix = { services: 'svc', alerts: 'alr', 'alerts/rules': 'rul' }[list] as string;
      for (const id of [
        `${prefix}_${'f'.repeat(32)}`,
        'x',
        `${prefix}_%00`,
        '..%2f..%2fetc',
        '%zz',
        '%F0',
        '%27%20or%201=1',
      ])
        expect((await api.get(`/api/v1/${list}/${id}`)).body).toMatchObject({
          status: 404,
          code: 'not_found',
        });
    },
  );

  it.each([
    ['services?limit=0', '/limit'],
    ['services?limit=101', '/limit'],
    ['alerts?limit=x', '/limit'],
    ['alerts/rules?offset=-1', '/offset'],
    ['services?status=broken', '/status'],
    ['services?tag=none', '/tag'],
    ['alerts?status=firing', '/status'],
    ['alerts?severity=fatal', '/severity'],
    ['alerts?acknowledged=maybe', '/acknowledged'],
    ['alerts?from=soon', '/from'],
    ['services?q=%00', '/q'],
    ['services?q=%ff', '/q'],
    ['services?q=%ED%A0%80', '/q'],
    ['services?status=healthy&status=offline', '/status'],
    ['services?sort=-status', '/sort'],
    ['services?fields=name,host', '/fields'],
    ['services?group_by=region&sort=name', '/sort'],
    ['services?as_of=2026-11-14T14:36:27Z', '/as_of'],
    ['alerts?as_of=2026-11-21T14:36:29Z', '/as_of'],
    ['services?group_by=region&as_of=2026-11-21T00:00:00Z', '/as_of'],
    ['alerts/rules?as_of=2026-11-21T00:00:00Z', '/as_of'],
    ['alerts?shadow=yes', '/shadow'],
    ['alerts?from=0000-01-01T00:00:00Z', '/from'],
    ['alerts?from=0001-01-01T00:00:00%2B00:01', '/from'],
    ['alerts?to=9999-12-31T23:59:59-00:01', '/to'],
  ])('%s is 422 at %s', async (path, fault) => {
    const { status, body } = await api.get(`/api/v1/${path}`);
    expect([status, body.errors[0]]).toMatchObject([422, { in: 'query', path: fault }]);
  });

  it('a key is required before anything else is checked', async () => {
    expect((await api.get('/api/v1/services', { key: null })).body.code).toBe('key_missing');
    expect((await api.get('/api/v1/services', { key: 'wrong' })).body.code).toBe('key_invalid');
    expect((await api.get('/api/v1/services', { key: 'agent' })).body.code).toBe('scope_missing');
    expect(
      (await api.call('PATCH', '/api/v1/alerts/rules/rul_x', { key: 'reader', body: {} })).body.code,
    ).toBe('scope_missing');
  });

  it('requests of a key are counted on every route that needs one, and reported in RateLimit headers', async () => {
    const call = (path: string) => api.get(path, { key: 'limited' });
    const left = ({ headers }: Answer) => headers.get('ratelimit')?.replace(/t=\d+$/, 't=');
    const first = await call('/api/v1/services');
    expect([first.status, left(first)]).toEqual([200, '"api"; r=1; t=']);
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"api"; q=2; w=60; pk=/);
    const second = await call('/api/v1/alerts/alr_x');
    expect([second.status, left(second)]).toEqual([404, '"api"; r=0; t=']);
    const third = await call('/api/v1/channels');
    expect([third.status, third.body.code, left(third)]).toEqual([429, 'rate_limited', '"api"; r=0; t=']);
    expect(third.body.detail).toMatch(
      /^The key has used up its 2 requests a minute of the limit "api" until 2/,
    );
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.get('/openapi.json', { key: 'limited' })).headers.has('ratelimit')).toBe(false);
  });

  it('an unsupported method is 405 with the supported ones in Allow', async () => {
    const { status, headers } = await api.call('DELETE', '/api/v1/alerts/rules');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, PUT']);
  });

  it('documentation needs no key and loads nothing from other servers', async () => {
    const open = (path: string) => api.get(path, { key: null });
    expect((await open('/')).headers.get('location')).toBe('/docs');
    const docs = await open('/docs');
    expect(docs.text).not.toMatch(/https?:/);
    expect(docs.headers.get('content-security-policy')).toContain("script-src 'self';");
    for (const [, path] of docs.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await open(path as string)).status).toBe(200);
    expect((await open('/docs/..%2fpackage.json')).status).toBe(404);
    expect((await open('/openapi.json')).body.openapi).toMatch(/^3\.1/);
    const page = await open('/problems/not_found');
    expect([page.headers.get('content-type'), page.text.includes('<h1>Not found</h1>')]).toEqual([
      'text/html; charset=utf-8',
      true,
    ]);
    expect((await open('/problems/constructor')).status).toBe(404);
    const index = (await open('/problems')).text;
    for (const code of PROBLEM_CODES) {
      expect(index).toContain(`href="/problems/${code}"`);
      const { text } = await open(`/problems/${code}`);
      expect(text).toContain(`<code>${code}</code>`);
      expect(text).toMatch(/<h2>What to do<\/h2>\s*<p>[^<]{20,}<\/p>\s*<pre><code>[^<]{10,}<\/code><\/pre>/);
      expect(text).toContain(`&quot;type&quot;: &quot;/problems/${code}&quot;`);
    }
  });
});
