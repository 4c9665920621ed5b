import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createAuthentication } from '@tidewatch/runtime/auth/authentication';
import { createApp } from '@tidewatch/runtime/http/app';
import { type HttpServer, listen } from '@tidewatch/runtime/http/http-server';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { Router } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { createSessionAccess } from './session-access.ts';

const logger = createSilentLogger();
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

function makeCertificate(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-certificate-'));
  const [cert, key] = [join(folder, 'cert'), join(folder, 'key')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  spawnSync('openssl', [...args, '-keyout', key, '-out', cert]);
  const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

interface Serving {
  trustProxy?: string[];
  tls?: { cert: string; key: string };
  publicUrl?: string;
}

/** Serves what a request looks like to the check of sessions, at `/`; the console is required at `/own`. */
async function serve({ trustProxy, tls, publicUrl }: Serving): Promise<void> {
  const keys = { find: async () => null, revision: async () => 0 };
  const clock = Date.now;
  const access = createSessionAccess({
    authentication: createAuthentication({ keys, clock, logger }),
    sessions: keys,
    readCookieId: async () => '40718263',
    isDownload: () => false,
    clock,
    publicUrl: publicUrl ?? null,
    idleDays: 14,
    keyUses: { note: () => undefined },
    sessionUses: { note: () => undefined },
    refusedCrossSite: () => undefined,
    logger,
  });
  const router = Router();
  router.get('/', async (request, response) => {
    const { name, options } = await access.cookieOf(request);
    response.json({ name, secure: options.secure, origin: access.originOf(request) });
  });
  router.get('/own', (request, response) => {
    access.requireConsole(request);
    response.json({});
  });
  const endpoints = ['/', '/own'].map((path) => ({ method: 'get' as const, path }));
  const metrics = createMetrics();
  const app = createApp({ routers: [router], endpoints, logger, metrics, trustProxy });
  server = await listen({ app, host: '127.0.0.1', port: 0, tls });
}

async function get(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const url = `${server?.url}${path}`;
  const ask = url.startsWith('https:') ? askHttps : askHttp;
  return new Promise((resolve, reject) => {
    const sent = ask(url, { headers, rejectUnauthorized: false }, (answer) =>
      resolve(json(answer).catch(reject)),
    );
    sent.once('error', reject).end();
  });
}

const FORWARDED = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'tidewatch.example.com' };

describe('the cookie of a session', () => {
  it('is plain over HTTP, also where a proxy that is not trusted names HTTPS', async () => {
    await serve({});
    for (const headers of [{}, FORWARDED])
      expect(await get('/', headers)).toEqual({
        name: 'tidewatch-40718263',
        secure: false,
        origin: server?.url,
      });
  });

  it('is Secure and __Host- over HTTPS that a trusted proxy speaks', async () => {
    await serve({ trustProxy: ['loopback'] });
    expect(await get('/', FORWARDED)).toEqual({
      name: '__Host-tidewatch-40718263',
      secure: true,
      origin: 'https://tidewatch.example.com',
    });
    expect(await get('/')).toMatchObject({ name: 'tidewatch-40718263', secure: false });
  });

  it.skipIf(!hasOpenssl)('is Secure and __Host- over HTTPS of its own [needs openssl]', async () => {
    await serve({ tls: makeCertificate() });
    expect(await get('/')).toEqual({
      name: '__Host-tidewatch-40718263',
      secure: true,
      origin: server?.url,
    });
  });
});

describe('the origin of the console', () => {
  it.each<[string, Serving, Record<string, string>, boolean]>([
    ['that of the request', {}, { Host: 'tidewatch.lan:8230', Origin: 'http://tidewatch.lan:8230' }, true],
    ['no other scheme', {}, { Host: 'tidewatch.lan', Origin: 'https://tidewatch.lan' }, false],
    [
      'none that an untrusted proxy names',
      {},
      { ...FORWARDED, Origin: 'https://tidewatch.example.com' },
      false,
    ],
    [
      'that of a trusted proxy',
      { trustProxy: ['loopback'] },
      { ...FORWARDED, Origin: 'https://tidewatch.example.com' },
      true,
    ],
    [
      'that of the public URL',
      { publicUrl: 'https://tidewatch.example.com/' },
      { Host: 'inner:8230', Origin: 'https://tidewatch.example.com' },
      true,
    ],
  ])('is %s', async (_, serving, headers, isOwn) => {
    await serve(serving);
    const answer = await get('/own', { 'X-Tidewatch-Console': '1', ...headers });
    expect(answer).toMatchObject(isOwn ? {} : { code: 'cross_site' });
    expect(Object.hasOwn(answer as object, 'code')).toBe(!isOwn);
  });
});
