import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import * as zlib from 'node:zlib';
import { openForFile, openForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, sample, TEST_KEY, type TestGateway } from './testing/gateway.harness.ts';

const MIB = 1024 * 1024;

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.stored.length = 0;
});

const metricsOf = async ({ url }: TestGateway) => (await fetch(`${url}/metrics`)).text();

const ingest = (...request: Parameters<TestGateway['ingest']>) => gateway.ingest(...request);

describe('the size limits of ingest', () => {
  const padded = (size: number) => JSON.stringify(sample()).padEnd(size, ' ');

  it('accept a body of one mebibyte on the wire, and refuse a larger one', async () => {
    expect((await ingest(padded(MIB))).status).toBe(200);
    const { status, answer } = await ingest(padded(MIB + 1));
    expect([status, answer.code]).toEqual([413, 'payload_too_large']);
  });

  it('accept a body of sixteen mebibytes decompressed, and refuse a larger one', async () => {
    const pack = (size: number) => new Uint8Array(zlib.gzipSync(padded(size)));
    expect((await ingest(pack(16 * MIB), { 'Content-Encoding': 'gzip' })).status).toBe(200);
    expect((await ingest(pack(16 * MIB + 1), { 'Content-Encoding': 'gzip' })).status).toBe(413);
  });

  it('cut a chunked body off and close the connection', async () => {
    const taken = await new Promise<{ sent: number; answer: string }>((resolve, reject) => {
      let answer = '';
      let sent = 0;
      const request = httpRequest(`${gateway.url}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': TEST_KEY },
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

  it('keep a body with a million metric names from delaying other requests', {
    timeout: 60_000,
  }, async () => {
    const names = Array.from({ length: 1_000_000 }, (_, index) => `"${index.toString(16)}":1`);
    const packed = new Uint8Array(zlib.zstdCompressSync(`{"host":"a","metrics":{${names.join(',')}}}`));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const { status, answer } = await ingest(packed, { 'Content-Encoding': 'zstd' });
    clearInterval(timer);
    expect([status, answer.errors.map((each) => each.path)]).toEqual([422, ['/metrics']]);
    // Decoding this body takes long, but does not block the event loop: the timer fires many times meanwhile.
    expect(turns).toBeGreaterThan(5);
    expect((await ingest(sample())).status).toBe(200);
  });
});

describe('ingest that cannot store payloads', () => {
  it('answers 503 with the code of the closed admission', async () => {
    gateway.admission.close({
      code: 'storage_full',
      reason: 'The disk is nearly full.',
      retryAfterSeconds: 30,
    });
    const { status, answer, headers } = await ingest(sample());
    gateway.admission.open('storage_full');
    expect([status, answer.code, headers.get('retry-after')]).toEqual([503, 'storage_full', '30']);
    expect((await ingest(sample())).status).toBe(200);
  });

  it('refuses payloads that can never be stored with a status that is not retried', async () => {
    gateway.fail(Object.assign(new Error('out of range: secret-sql'), { code: '22003' }));
    const { status, answer, headers } = await gateway.ingest(sample());
    gateway.fail(null);
    expect([status, answer.code, headers.get('retry-after')]).toEqual([422, 'unsupported', null]);
    expect(JSON.stringify(answer)).not.toContain('secret-sql');
    expect((await gateway.ingest(sample())).status).toBe(200);
  });

  it('answers 503 while the bus is unavailable, and accepts afterwards', async () => {
    gateway.fail(Object.assign(new Error('away: secret-dsn'), { code: 'ECONNREFUSED' }));
    const { status, answer, headers } = await ingest(sample());
    gateway.fail(null);
    expect([status, answer.code]).toEqual([503, 'ingest_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(answer)).not.toContain('secret-dsn');
    await expect.poll(async () => (await ingest(sample())).status).toBe(200);
  });
});

describe('the HTTP server of the gateway', () => {
  it.each([
    ['GET', '/api/v1/nothing', 404, null],
    ['GET', '/api/v1/ingest', 405, 'POST'],
    ['PUT', '/api/v1/ingest', 405, 'POST'],
    ['DELETE', '/healthz', 405, 'GET, HEAD'],
    ['GET', '/%ff', 404, null],
  ])('answers %s %s with %i', async (method, path, status, allow) => {
    const response = await fetch(gateway.url + path, { method });
    const problem = (await response.json()) as Record<string, unknown>;
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(problem).toMatchObject({
      status,
      type: `/problems/${problem.code}`,
      request_id: response.headers.get('x-request-id'),
    });
  });

  it('exposes metrics of accepted and refused payloads', async () => {
    await ingest([sample(), sample('b', { metrics: { a: 1, b: 2 } })]);
    await ingest('{');
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(text).toMatch(/tidewatch_events_accepted_total \d+/);
    expect(text).toMatch(/tidewatch_ingest_rejected_total\{code="validation_failed"\} \d+/);
    expect(text).toMatch(
      /duration_seconds_count\{method="POST",route="\/api\/v1\/ingest",status="200"\} \d+/,
    );
  });

  it('answers a request that is not HTTP with a problem and closes the connection', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(gateway.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"code":"bad_request"');
  });
});

it('ingest leaves room for the bodies of an organization while three others have sent theirs by half', async () => {
  const shared = await openForTest(openTestGateway());
  const sockets: Socket[] = [];
  try {
    const begun = Buffer.alloc(70_000, ' ');
    for (const organization of [2, 3, 4])
      for (let count = 0; count < 50; count += 1) {
        const socket = connect(shared.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(
          `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nX-API-Key: a-key-of-org-${organization}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${MIB}\r\n\r\n`,
        );
        socket.write(begun);
        sockets.push(socket);
      }
    const held = async () =>
      Number(
        /^tidewatch_share_held\{resource="ingest_wire_bytes"\} (\d+)$/m.exec(await metricsOf(shared))?.[1],
      );
    await expect.poll(held).toBeGreaterThan(47 * MIB);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, host) => shared.ingest(sample(`web-${host}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await shared.ingest(JSON.stringify(sample('large')).padEnd(500_000, ' '))).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

it('the limit of samples counts the processes of payloads', async () => {
  const limited = await openForTest(openTestGateway({ samplesPerMinute: 120 }));
  const processes = Array.from({ length: 100 }, (_, pid) => ({
    name: `worker-${pid}`,
    pid,
    cpu_percent: 1,
  }));
  const body = { ...sample(), processes };
  expect((await limited.ingest(JSON.stringify(body))).status).toBe(200);
  const { status, answer } = await limited.ingest(JSON.stringify(body));
  expect([status, answer.code]).toEqual([429, 'samples_limited']);
});

it('ingest answers 429 to samples above the limit of a minute, and states when they will be accepted', async () => {
  const limited = await openForTest(openTestGateway({ samplesPerMinute: 120 }));
  const metrics = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, index]));
  expect((await limited.ingest(sample('a', { metrics }))).status).toBe(200);
  const { status, answer, headers } = await limited.ingest(sample('a', { metrics }));
  expect((await limited.ingest(sample('a', { metrics: {} }))).status).toBe(200);
  expect([status, answer.code]).toEqual([429, 'samples_limited']);
  expect(answer.detail).toMatch(/^The organization has used up its 120 samples a minute\./);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(30);
  expect(headers.get('ratelimit')).toMatch(/^"ingest"; r=\d+; t=\d+, "samples"; r=0; t=\d+$/);
  expect(headers.get('ratelimit-policy')).toMatch(/, "samples"; q=120; w=60$/);
});
