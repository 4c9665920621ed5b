import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import express, { type RequestHandler } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthentication, keyDigest } from '../auth/authentication.ts';
import { createSilentLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createApp } from './app.ts';
import { type HttpServer, listen } from './http-server.ts';

const ENDPOINTS = [
  { method: 'get', path: '/things' },
  { method: 'post', path: '/things' },
  { method: 'post', path: '/first' },
] as const;
const KEY = 'the-only-key';

let server: HttpServer;
const metrics = createMetrics();

beforeAll(async () => {
  const logger = createSilentLogger();
  const record = keyRecordOf({ scopes: ['write'] });
  const keys = {
    find: async (digest: string) => (digest === keyDigest(KEY) ? record : null),
    revision: async () => 0,
  };
  const { authenticate } = createAuthentication({ keys, clock: Date.now, logger });
  const router = express.Router();
  router.post('/things', authenticate('write'), async (request, response) => {
    response.json({ received: (await text(request)).length });
  });
  router.get('/things', (_request, response) => {
    response.json([]);
  });
  const handle: RequestHandler = (request, response, next) => {
    authenticate('write')(request, response, (error?: unknown) => {
      if (error === undefined) response.json({ route: request.route?.path });
      else next(error);
    });
  };
  const first = [{ path: '/first', handle }];
  server = await listen({
    app: createApp({ first, routers: [router], endpoints: ENDPOINTS, logger, metrics, trustProxy: 1 }),
    host: '127.0.0.1',
    port: 0,
  });
});

afterAll(async () => {
  await server.close();
  metrics.close();
});

/** Returns everything that the server sends until it closes; each of `parts` is sent after the previous response. */
function exchange(head: string[], ...parts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
    socket.on('data', (data) => {
      said += data.toString('latin1');
      const part = parts.shift();
      if (part !== undefined) socket.write(part);
    });
    socket.on('close', () => resolve(said));
    socket.on('error', reject);
  });
}

const statuses = (said: string) =>
  [...said.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

describe('requests that violate HTTP', () => {
  it.each<[string, string[], number, string]>([
    ['no host', ['GET /things HTTP/1.1', 'Connection: close'], 400, 'bad_request'],
    ['an expectation', ['GET /things HTTP/1.1', 'Host: a', 'Expect: more'], 417, 'expectation_failed'],
    ['a long address', [`GET /things?${'a'.repeat(20_000)} HTTP/1.1`, 'Host: a'], 414, 'uri_too_long'],
    [
      'long headers',
      ['GET /things HTTP/1.1', 'Host: a', `A: ${'a'.repeat(20_000)}`],
      431,
      'headers_too_large',
    ],
    ['no HTTP', ['\x16\x03\x01'], 400, 'bad_request'],
  ])('%s', async (_, head, status, code) => {
    const said = await exchange(head);
    expect(statuses(said)).toEqual([status]);
    expect(said).toMatch(/^content-type: application\/problem\+json/im);
    const [, id] = /^x-request-id: (\S+)/im.exec(said) ?? [];
    expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n')))).toMatchObject({ status, code, request_id: id });
  });
});

describe('Expect: 100-continue', () => {
  const post = ['POST /things HTTP/1.1', 'Host: a', 'Expect: 100-continue', 'Content-Length: 5'];

  it('sends 100 Continue to a request with a known key', async () => {
    const said = await exchange([...post, `X-API-Key: ${KEY}`, 'Connection: close'], '12345');
    expect(statuses(said)).toEqual([100, 200]);
    expect(said).toContain('{"received":5}');
  });

  it('sends no 100 Continue to a refused request, and closes its connection, since the body may follow anyway', async () => {
    expect(statuses(await exchange(post))).toEqual([401]);
    expect(statuses(await exchange([...post, 'X-API-Key: wrong']))).toEqual([401]);
    expect(statuses(await exchange(post.with(0, 'PUT /things HTTP/1.1')))).toEqual([405]);
  });
});

describe('a route that stands before the routers', () => {
  const post = (path: string, headers: Record<string, string> = { 'X-API-Key': KEY }) =>
    fetch(server.url + path, { method: 'POST', headers });

  it('has the headers of all responses, and its time is measured', async () => {
    const answer = await post('/first?a=b');
    expect([answer.status, await answer.json()]).toEqual([200, { route: '/first' }]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const measured =
      'tidewatch_http_request_duration_seconds_count{method="POST",route="/first",status="200"} 1';
    await expect.poll(() => metrics.text()).toContain(measured);
  });

  it('answers refusals as problem documents', async () => {
    const said = await exchange(['POST /first HTTP/1.1', `X-API-Key: ${KEY}`, 'Connection: close']);
    expect(statuses(said)).toEqual([400]);
    const refused = await post('/first', {});
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { code: 'key_missing', request_id: refused.headers.get('x-request-id') },
    ]);
  });

  it('is matched by its exact path and by POST alone', async () => {
    for (const path of ['/first/', '//first', '/First', '/firs%74', '/first/more'])
      expect([path, (await post(path)).status]).toEqual([path, 404]);
    const other = await fetch(`${server.url}/first`);
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

it('responses forbid caching unless their route allows it', async () => {
  for (const path of ['/things', '/elsewhere'])
    expect((await fetch(server.url + path)).headers.get('cache-control')).toBe('no-store');
});

it('an address with 300 refused keys in a minute gets 429 for further refused keys, but a valid key is accepted', async () => {
  const address = { 'X-Forwarded-For': '192.0.2.7' };
  const ask = (headers: object) =>
    fetch(`${server.url}/things`, { method: 'POST', headers: { ...address, ...headers } });
  for (let index = 0; index < 300; index += 1)
    expect((await ask({ 'X-API-Key': `wrong-${index}` })).status).toBe(401);
  const refused = await ask({});
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_refusals' }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask({ 'X-API-Key': KEY })).status).toBe(200);
  expect((await ask({ 'X-Forwarded-For': '192.0.2.8' })).status).toBe(401);
});
