import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { openInProcessBus } from '@tidewatch/bus/in-process';
import type { KeyRecord } from '@tidewatch/contracts/access';
import type { SampleBatch, SampleRecord } from '@tidewatch/contracts/sample';
import { TOPICS } from '@tidewatch/contracts/topic';
import { createAdmission } from '@tidewatch/runtime/admission';
import { createApp } from '@tidewatch/runtime/app';
import { createAuthentication, keyDigest } from '@tidewatch/runtime/authentication';
import { createHealthRoutes } from '@tidewatch/runtime/health-routes';
import { type HttpServer, listen } from '@tidewatch/runtime/http-server';
import { createSilentLogger } from '@tidewatch/runtime/logger';
import { createMetrics } from '@tidewatch/runtime/metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from './gateway.ts';

const MIB = 1024 * 1024;
const KEY = `tw_test_${'a'.repeat(64)}`;
const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const logger = createSilentLogger();
const metrics = createMetrics();
const admission = createAdmission();
const keys = new Map<string, KeyRecord>();
const stored: SampleBatch[] = [];
let away: Error | null = null;
let server: HttpServer;
let gateway: Gateway;

function keep(text: string, changes: Partial<KeyRecord> = {}): void {
  const key: KeyRecord = {
    id: `key_${keys.size}`,
    organizationId: 'org_1',
    name: 'test',
    scopes: ['ingest'],
    rateLimitPerMinute: null,
    hosts: null,
    expiresAt: null,
    revokedAt: null,
  };
  keys.set(keyDigest(text), { ...key, ...changes });
}

const bus = openInProcessBus<null>({
  transact: async (work) => {
    if (away !== null) throw away;
    return work(null);
  },
  clock: Date.now,
  synchronousTopics: [TOPICS.samples],
  limits: { patienceMs: 100 },
});

beforeAll(async () => {
  keep(KEY);
  keep('an-admin-key', { scopes: ['admin'] });
  keep('a-reading-key', { scopes: ['read', 'write'] });
  keep('an-expired-key', { expiresAt: 1 });
  keep('a-revoked-key', { revokedAt: 1 });
  keep('a-limited-key', { rateLimitPerMinute: 2 });
  bus.subscribe<SampleRecord>(TOPICS.samples, {
    name: 'recorder',
    async handle(batch) {
      for (const { value } of batch) if (value.kind === 'samples') stored.push(value);
      return batch.map(() => ({ kind: 'done' }));
    },
  });
  await bus.start();
  const findKey = async (sha256: string) => keys.get(sha256) ?? null;
  const authentication = createAuthentication({ findKey, clock: Date.now, logger });
  const config = { rateLimitPerMinute: 60_000 };
  gateway = createGateway({ bus, authentication, admission, clock: Date.now, config, metrics, logger });
  gateway.start();
  const health = createHealthRoutes(metrics, () => ({ status: 'ready', reasons: [] }));
  const app = createApp({ routers: [health, gateway.router], logger, metrics });
  server = await listen({ app, host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await server.close(100);
  await gateway.stop();
  await bus.close();
  metrics.close();
});

beforeEach(() => {
  stored.length = 0;
});

type Body = string | Uint8Array<ArrayBuffer> | object;

async function ingest(body: Body, headers: Record<string, string> = {}) {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}/api/v1/ingest`, {
    method: 'POST',
    body: raw as BodyInit,
    headers: { 'Content-Type': 'application/json', 'X-API-Key': KEY, ...headers },
  });
  const answer = (await response.json()) as Record<string, unknown> & { errors: { path: string; code: string }[] };
  return { status: response.status, headers: response.headers, answer };
}

const sample = (host = 'web-01', more: object = {}) => ({ host, metrics: { cpu_percent: 1 }, ...more });
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe('what is accepted', () => {
  it('a payload, once it is on the bus', async () => {
    const { status, answer, headers } = await ingest(sample());
    expect([status, answer]).toEqual([200, { status: 'ok', events_accepted: 1 }]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('ratelimit')).toContain('"ingest"; r=');
    expect(stored).toMatchObject([
      { kind: 'samples', organizationId: 'org_1', stalledMs: 0, payloads: [{ host: 'web-01', metrics: { cpu_percent: 1 } }] },
    ]);
  });

  it('an array of a thousand', async () => {
    const { answer } = await ingest(Array.from({ length: 1_000 }, (_, index) => sample(`h${index}`)));
    expect(answer).toEqual({ status: 'ok', events_accepted: 1_000 });
  });

  it.each(['\n', '\r\n', '\n\n \n'])('lines separated by %j', async (separator) => {
    const body = [sample('a'), sample('b')].map((each) => JSON.stringify(each)).join(separator);
    expect((await ingest(body, NDJSON)).answer).toEqual({ status: 'ok', events_accepted: 2 });
  });

  it.each([
    ['gzip', promisify(zlib.gzip)],
    ['br', promisify(zlib.brotliCompress)],
    ['zstd', promisify(zlib.zstdCompress)],
    ['deflate', promisify(zlib.deflate)],
    ['deflate', promisify(zlib.deflateRaw)],
    ['x-gzip', promisify(zlib.gzip)],
  ])('%s, small and large', async (encoding, compress) => {
    const large = Array.from({ length: 1_000 }, (_, index) => sample(`${'h'.repeat(200)}${index}`, { tags: { t: 'x'.repeat(200) } }));
    for (const [body, count] of [[[sample()], 1], [large, 1_000]] as const) {
      const packed = new Uint8Array(await compress(Buffer.from(JSON.stringify(body))));
      const { answer } = await ingest(packed, { 'Content-Encoding': encoding });
      expect(answer).toEqual({ status: 'ok', events_accepted: count });
    }
  });

  it('a large body, decoded beside the event loop', async () => {
    const metricsOf = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`metric_${index}`, index]));
    const many = Array.from({ length: 500 }, (_, index) => ({ host: `h${index}`, metrics: metricsOf }));
    const packed = new Uint8Array(zlib.gzipSync(JSON.stringify(many)));
    expect((await ingest(packed, { 'Content-Encoding': 'gzip' })).answer).toEqual({ status: 'ok', events_accepted: 500 });
    expect(stored[0]?.payloads).toHaveLength(500);
    expect(stored[0]?.payloads[499]).toMatchObject({ host: 'h499', metrics: metricsOf });
  });

  it('a bearer token and an admin key', async () => {
    const { status } = await ingest(sample(), { 'X-API-Key': '', Authorization: `Bearer ${KEY}` });
    expect(status).toBe(200);
    expect((await ingest(sample(), { 'X-API-Key': 'an-admin-key' })).status).toBe(200);
  });

  it('with lenient handling what is valid', async () => {
    const body = [sample('a'), sample('b', { metrics: { cpu: 'x' } }), sample('c')];
    const { status, answer, headers } = await ingest(body, { Prefer: 'return=minimal, handling=lenient' });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ events_accepted: 2, events_rejected: 1, errors: [{ path: '/1/metrics/cpu' }] });
    expect(headers.get('preference-applied')).toBe('handling=lenient');
    expect(stored[0]?.payloads.map(({ host }) => host)).toEqual(['a', 'c']);
  });

  it('with lenient handling nothing, where nothing is valid', async () => {
    const { status, answer } = await ingest(sample(''), { Prefer: 'handling=lenient' });
    expect([status, answer.events_accepted, answer.events_rejected]).toEqual([200, 0, 1]);
  });
});

describe('what is refused', () => {
  it.each([
    ['nothing', '', {}, ''],
    ['no JSON', '{broken', {}, ''],
    ['a scalar', '5', {}, ''],
    ['null', 'null', {}, ''],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, ''],
    ['an empty array', '[]', {}, ''],
    ['no gzip', bytes('{"host":"a","metrics":{}}'), { 'Content-Encoding': 'gzip' }, ''],
    ['half a gzip', new Uint8Array(zlib.gzipSync('{"host":"a","metrics":{}}').subarray(0, 30)), { 'Content-Encoding': 'gzip' }, ''],
    ['half a br', new Uint8Array(zlib.brotliCompressSync('{"host":"a","metrics":{}}').subarray(0, 15)), { 'Content-Encoding': 'br' }, ''],
    ['half a zstd', new Uint8Array(zlib.zstdCompressSync('{"host":"a","metrics":{}}').subarray(0, 20)), { 'Content-Encoding': 'zstd' }, ''],
    ['blank lines', '\n\n', NDJSON, ''],
    ['a line that is no JSON', `${JSON.stringify(sample())}\n\n{no`, NDJSON, '/1'],
    ['a faulty element', '[{"host":"a","metrics":{}},{"host":"a","metrics":{"x":"y"}}]', {}, '/1/metrics/x'],
  ])('%s: 422', async (_name, body, headers, path) => {
    const { status, answer } = await ingest(body, headers as Record<string, string>);
    expect([status, answer.errors.map((each) => each.path)]).toEqual([422, [path]]);
    expect(stored).toEqual([]);
  });

  it('1,001 payloads in either form', async () => {
    const many = Array.from({ length: 1_001 }, () => JSON.stringify(sample()));
    expect((await ingest(`[${many.join(',')}]`)).status).toBe(422);
    expect((await ingest(many.join('\n'), NDJSON)).status).toBe(422);
  });

  it.each([
    [{ 'Content-Type': 'text/plain' }, 'unsupported_media_type'],
    [{ 'Content-Type': 'application/json; charset=latin1' }, 'unsupported_media_type'],
    [{ 'Content-Type': 'constructor' }, 'unsupported_media_type'],
    [{ 'Content-Encoding': 'snappy' }, 'unsupported_content_encoding'],
    [{ 'Content-Encoding': 'gzip, gzip' }, 'unsupported_content_encoding'],
  ])('%j: 415', async (headers, code) => {
    const { status, answer } = await ingest(sample(), headers as unknown as Record<string, string>);
    expect([status, answer.code]).toEqual([415, code]);
  });

  it.each([
    ['', 'key_missing', 401],
    ['wrong', 'key_invalid', 401],
    ['x'.repeat(4_000), 'key_invalid', 401],
    ['an-expired-key', 'key_expired', 401],
    ['a-revoked-key', 'key_revoked', 401],
    ['a-reading-key', 'scope_missing', 403],
  ])('the key %.20s: %s, before the body', async (key, code, expected) => {
    const { status, answer } = await ingest(' '.repeat(MIB + 1), { 'X-API-Key': key, 'Content-Type': 'text/plain' });
    expect([status, answer.code]).toEqual([expected, code]);
  });

  it('more requests than the key may send', async () => {
    const send = () => ingest(sample(), { 'X-API-Key': 'a-limited-key' });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const { status, answer, headers } = await send();
    expect([status, answer.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toContain('q=2');
  });
});

describe('limits of size', () => {
  const padded = (size: number) => JSON.stringify(sample()).padEnd(size, ' ');

  it('one mebibyte on the wire', async () => {
    expect((await ingest(padded(MIB))).status).toBe(200);
    const { status, answer } = await ingest(padded(MIB + 1));
    expect([status, answer.code]).toEqual([413, 'payload_too_large']);
  });

  it('sixteen mebibytes inflated', async () => {
    const pack = (size: number) => new Uint8Array(zlib.gzipSync(padded(size)));
    expect((await ingest(pack(16 * MIB), { 'Content-Encoding': 'gzip' })).status).toBe(200);
    expect((await ingest(pack(16 * MIB + 1), { 'Content-Encoding': 'gzip' })).status).toBe(413);
  });

  it('a chunked body is cut off and the connection closed', async () => {
    const taken = await new Promise<{ sent: number; answer: string }>((resolve, reject) => {
      let answer = '';
      let sent = 0;
      const request = httpRequest(`${server.url}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': KEY },
      });
      const chunk = Buffer.alloc(65_536, ' ');
      const send = () => {
        if (answer !== '' || sent > 64 * MIB || request.destroyed) return;
        sent += chunk.length;
        request.write(chunk, () => setImmediate(send));
      };
      request.on('response', (response) => {
        answer = `${response.statusCode} ${response.headers.connection}`;
        response.resume();
        request.destroy();
        resolve({ sent, answer });
      });
      request.on('error', (error) => (answer === '' ? reject(error) : undefined));
      send();
    });
    expect(taken.answer).toBe('413 close');
    expect(taken.sent).toBeLessThan(8 * MIB);
  });

  it('a million metric names hold up nobody else', async () => {
    const names = Array.from({ length: 1_000_000 }, (_, index) => `"${index.toString(16)}":1`);
    const packed = new Uint8Array(zlib.zstdCompressSync(`{"host":"a","metrics":{${names.join(',')}}}`));
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const { status, answer } = await ingest(packed, { 'Content-Encoding': 'zstd' });
    clearInterval(timer);
    expect([status, answer.errors.map((each) => each.path)]).toEqual([422, ['/metrics']]);
    expect(longest).toBeLessThan(250);
    expect((await ingest(sample())).status).toBe(200);
  });
});

describe('when payloads cannot be taken', () => {
  it('a closed admission answers 503 with its code', async () => {
    admission.close({ code: 'storage_full', reason: 'The disk is nearly full.', retryAfterSeconds: 30 });
    const { status, answer, headers } = await ingest(sample());
    admission.open('storage_full');
    expect([status, answer.code, headers.get('retry-after')]).toEqual([503, 'storage_full', '30']);
    expect((await ingest(sample())).status).toBe(200);
  });

  it('a bus that is away answers 503 and resumes', async () => {
    away = Object.assign(new Error('away: secret-dsn'), { code: 'ECONNREFUSED' });
    const { status, answer, headers } = await ingest(sample());
    away = null;
    expect([status, answer.code]).toEqual([503, 'ingest_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(answer)).not.toContain('secret-dsn');
    await expect.poll(async () => (await ingest(sample())).status, { timeout: 5_000 }).toBe(200);
  });
});

describe('around it', () => {
  it.each([
    ['GET', '/api/v1/nothing', 404, null],
    ['GET', '/api/v1/ingest', 405, 'POST'],
    ['PUT', '/api/v1/ingest', 405, 'POST'],
    ['DELETE', '/healthz', 405, 'GET, HEAD'],
    ['GET', '/%ff', 404, null],
  ])('%s %s is %i', async (method, path, status, allow) => {
    const response = await fetch(server.url + path, { method });
    const problem = (await response.json()) as Record<string, unknown>;
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(problem).toMatchObject({ status, type: `/problems/${problem.code}`, request_id: response.headers.get('x-request-id') });
  });

  it('the metrics count what was accepted and refused', async () => {
    await ingest([sample(), sample('b', { metrics: { a: 1, b: 2 } })]);
    await ingest('{');
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toMatch(/tidewatch_events_accepted_total \d+/);
    expect(text).toMatch(/tidewatch_ingest_rejected_total\{code="validation_failed"\} \d+/);
    expect(text).toMatch(/duration_seconds_count\{method="POST",route="\/api\/v1\/ingest",status="200"\} \d+/);
  });

  it('what is no HTTP gets a problem and the connection closed', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(server.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"code":"bad_request"');
  });
});
