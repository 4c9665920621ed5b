import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PAGES, SERVED_PAGES } from '@tidewatch/contracts/console/paths';
import { folderForFile, openForFile } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { openApi } from '../testing/query-api.harness.ts';

const HTML = '<!doctype html><title>Tidewatch</title>';
const SCRIPT = 'console.log("tide");'.repeat(200);
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const folder = join(folderForFile(), 'built');
const api = await openForFile(openApi({}, folder));

function writeBuild(to: string): void {
  mkdirSync(join(to, 'assets'), { recursive: true });
  mkdirSync(join(to, '.vite'));
  writeFileSync(join(to, 'index.html'), HTML);
  writeFileSync(join(to, 'favicon.svg'), '<svg/>');
  writeFileSync(join(to, '.vite/manifest.json'), '{}');
  writeFileSync(join(to, 'assets/main-1.js'), SCRIPT);
  writeFileSync(join(to, 'assets/main-1.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(to, 'assets/secret.pem'), 'secret');
}

const open = (path: string, headers: Record<string, string> = BROWSER) =>
  api.get(path, { key: null, headers });
const PATHS = SERVED_PAGES.map((name) => PAGES[name].path.replace(':id', 'abc_1'));

describe('before and after the build', () => {
  it('shows that the console is prepared, then why a build failed, and then the console, without a restart', async () => {
    const preparing = await open('/');
    expect([preparing.status, preparing.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(preparing.text).toContain('<h1>Preparing the console …</h1>');
    expect(preparing.text).toContain('http-equiv="refresh"');
    expect(preparing.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect((await open('/assets/main-1.js')).status).toBe(404);

    writeFileSync(`${folder}.failed`, 'Cannot resolve <module>');
    await expect.poll(async () => (await open('/')).text).toContain('Cannot resolve &lt;module&gt;');
    expect((await open('/')).text).toContain('npm run console:build');
    expect((await api.get('/api/v1/services')).status).toBe(200);

    writeBuild(`${folder}.unfinished`);
    renameSync(`${folder}.unfinished`, folder);
    await expect.poll(async () => (await open('/')).text).toBe(HTML);
  });
});

describe('a built console', () => {
  it.each(PATHS)('has the same HTML at %s, with its policy and without a key', async (path) => {
    const { status, headers, text } = await open(path);
    expect([status, text, headers.get('content-type')]).toEqual([200, HTML, 'text/html; charset=utf-8']);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tidewatch-worker",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect(headers.has('cross-origin-opener-policy')).toBe(false);
    expect(headers.has('set-cookie')).toBe(false);
    const again = await open(path, { ...BROWSER, 'If-None-Match': String(headers.get('etag')) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('serves assets for ever, compressed as the build has written them, and nothing else of the folder', async () => {
    const { status, headers, text } = await open('/assets/main-1.js', { 'Accept-Encoding': 'gzip, br' });
    expect([status, text]).toEqual([200, SCRIPT]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    const plain = await open('/assets/main-1.js', { 'Accept-Encoding': 'identity' });
    expect([plain.text, plain.headers.get('content-encoding')]).toEqual([SCRIPT, null]);
    expect((await open('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
    for (const path of ['main-2.js', 'secret.pem', 'main-1.js.gz', '..%2findex.html', 'constructor']) {
      const missing = await open(`/assets/${path}`);
      expect([missing.status, missing.headers.get('content-type')], path).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
    }
  });

  it('redirects /settings to the first page of the settings', async () => {
    const { status, headers } = await fetch(`${api.url}/settings`, { headers: BROWSER, redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([307, '/settings/preferences']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('answers unknown paths with 404: a page for browsers, a problem document for others', async () => {
    const page = await open('/no/such/page');
    expect([page.status, page.text, page.headers.get('etag') !== null]).toEqual([404, HTML, true]);
    for (const headers of [{ Accept: '*/*' }, { Accept: 'application/json' }])
      expect((await open('/no/such/page', headers)).body.code).toBe('not_found');
    for (const path of [
      '/api/v1/nothing',
      '/assets/nothing',
      '/docs/nothing',
      '/nothing.php',
      '/alerts/a.json/x.js',
    ])
      expect([path, (await open(path)).body.code]).toEqual([path, 'not_found']);
    expect((await api.call('DELETE', '/no/such/page', { key: null, headers: BROWSER })).body.code).toBe(
      'not_found',
    );
    expect((await api.call('POST', '/system', { key: null })).status).toBe(405);
  });

  it('leaves the documentation, the problems and the API as they are', async () => {
    expect((await open('/docs')).text).toContain('swagger-ui');
    expect((await open('/problems/not_found')).text).toContain('<h1>Not found</h1>');
    expect((await open('/openapi.json')).body.openapi).toMatch(/^3\.1/);
    expect((await api.get('/api/v1/services', { headers: BROWSER })).body.services).toEqual([]);
  });
});
