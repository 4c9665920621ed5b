import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { folderForFile, openForFile, openForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY } from '../../../testing/gateway.harness.ts';
import { EXPORT, openGrpcSender } from '../../../testing/grpc-sender.harness.ts';
import { encodeOtlp, metricsOf } from '../../../testing/otlp.fixture.ts';

const gateway = await openForFile(openTestGateway({ otlpGrpcPort: 0 }));
const sender = await openForFile(openGrpcSender(gateway.grpcPort));
const zipping = await openForFile(openGrpcSender(gateway.grpcPort, { gzip: true }));
const KEY = { 'x-api-key': TEST_KEY };
const MIB = 1_048_576;

beforeEach(() => {
  gateway.fail(null);
  gateway.admission.open('ingest_unavailable');
  gateway.stored.length = 0;
});

function load(value: number): object {
  const dataPoints = [{ asDouble: value, timeUnixNano: `${Date.now()}000000` }];
  return { name: 'system.cpu.load_average.1m', gauge: { dataPoints } };
}

const MESSAGE = encodeOtlp([metricsOf('web-01', load(0.5))]);

/** A certificate of localhost that signs itself. */
function makeCertificate(): { cert: string; key: string } {
  const folder = folderForFile();
  const [cert, key] = [join(folder, 'cert'), join(folder, 'key')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  spawnSync('openssl', [...args, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert]);
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** Begins calls and sends the first bytes of their messages. */
async function openUnfinishedCalls(port: number, count: number, headers: object) {
  const session = connect(`http://127.0.0.1:${port}`);
  const calls = Array.from({ length: count }, () => {
    const call = session.request({
      ':method': 'POST',
      ':path': EXPORT,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    call.on('error', () => undefined);
    call.write(Buffer.from([0, 0, 1, 0, 0, 1, 2]));
    return call;
  });
  await new Promise((resolve) => session.ping(resolve));
  return { calls, close: () => session.destroy() };
}

describe('OTLP over gRPC', () => {
  it.each([
    ['plain', sender],
    ['gzip', zipping],
  ])('in %s is answered once it is stored', async (_, each) => {
    expect(await each.send(MESSAGE, KEY)).toEqual({ code: status.OK, details: '', exported: {} });
    const [{ payloads: [payload] = [] } = {}] = gateway.stored;
    expect(payload).toMatchObject({ host: 'web-01', metrics: expect.arrayContaining(['load_1']) });
  });

  it('takes the key as a bearer token, and the host from x-tidewatch-host', async () => {
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'x-tidewatch-host': 'named' };
    const { code } = await sender.send(encodeOtlp([{ scopeMetrics: [{ metrics: [load(1)] }] }]), headers);
    expect([code, gateway.stored[0]?.payloads[0]?.host]).toEqual([status.OK, 'named']);
  });

  it('takes an empty message', async () => {
    expect(await sender.send(Buffer.alloc(0), KEY)).toMatchObject({ code: status.OK });
    expect(gateway.stored).toEqual([]);
  });

  it('says in a partial success how many points were refused, and stores the others', async () => {
    const nameless = { resource: { attributes: [] }, scopeMetrics: [{ metrics: [load(1)] }] };
    const { exported } = await sender.send(encodeOtlp([metricsOf('web-01', load(1)), nameless]), KEY);
    expect(exported).toEqual({
      partialSuccess: { rejectedDataPoints: 1, errorMessage: expect.stringContaining('names no host') },
    });
    expect(gateway.stored).toHaveLength(1);
  });

  it('answers UNAVAILABLE with RetryInfo while it cannot be stored', async () => {
    gateway.fail(new Error('the database is away'));
    expect(await sender.send(MESSAGE, KEY)).toEqual({
      code: status.UNAVAILABLE,
      details: expect.stringContaining('ingest_unavailable'),
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('answers UNAVAILABLE with the seconds after which ingest that is closed is asked again', async () => {
    gateway.admission.close({
      code: 'ingest_unavailable',
      reason: 'The disk is full.',
      retryAfterSeconds: 17,
    });
    expect(await sender.send(MESSAGE, KEY)).toMatchObject({
      code: status.UNAVAILABLE,
      details: expect.stringContaining('The disk is full.'),
      retryAfterSeconds: 17,
    });
  });

  it.each<[string, Buffer, Record<string, string>, status]>([
    ['without a key', MESSAGE, {}, status.UNAUTHENTICATED],
    ['with an unknown key', MESSAGE, { 'x-api-key': 'unknown' }, status.UNAUTHENTICATED],
    ['with a key without the scope', MESSAGE, { 'x-api-key': 'a-reading-key' }, status.PERMISSION_DENIED],
    [
      'for a host that the key may not name',
      MESSAGE,
      { 'x-api-key': 'a-key-of-web-hosts', 'x-tidewatch-host': 'db' },
      status.OK,
    ],
    ['of bytes that are no message', Buffer.from([0xff, 0xff]), KEY, status.INVALID_ARGUMENT],
    ['of more than 16 MiB', Buffer.alloc(16 * MIB + 1), KEY, status.RESOURCE_EXHAUSTED],
  ])('%s is refused with the code that senders understand', async (_, message, headers, code) => {
    const answer = await sender.send(message, headers);
    expect(answer.code).toBe(code);
    expect(answer.retryAfterSeconds).toBeUndefined();
    expect(gateway.stored).toEqual([]);
  });

  it('refuses a message that decompresses to more than 16 MiB, and serves the next one', async () => {
    const { code } = await zipping.send(Buffer.alloc(64 * MIB), KEY);
    expect(code).toBe(status.RESOURCE_EXHAUSTED);
    expect((await zipping.send(MESSAGE, KEY)).code).toBe(status.OK);
  });

  it('counts calls against the quota of the key, together with requests over HTTP', async () => {
    const headers = { 'x-api-key': 'a-limited-key' };
    expect(
      (await gateway.ingest({ host: 'a', metrics: { cpu_percent: 1 } }, { 'X-API-Key': 'a-limited-key' }))
        .status,
    ).toBe(200);
    expect((await sender.send(MESSAGE, headers)).code).toBe(status.OK);
    const { code, retryAfterSeconds } = await sender.send(MESSAGE, headers);
    expect(code).toBe(status.UNAVAILABLE);
    expect(retryAfterSeconds).toBeGreaterThan(0);
  });

  it('takes as many calls at once as come', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => sender.send(MESSAGE, KEY)));
    expect(answers.map(({ code }) => code)).toEqual(Array(40).fill(status.OK));
  });

  it('serves others while an organization has calls whose messages do not come', async () => {
    const session = await openForTest(openUnfinishedCalls(gateway.grpcPort, 5, KEY));
    const other = await sender.send(MESSAGE, { 'x-api-key': 'a-key-of-org-2' });
    expect(other.code).toBe(status.OK);
    const waiting = sender.send(MESSAGE, KEY);
    session.close();
    expect((await waiting).code).toBe(status.OK);
  });

  it('ends a call at the deadline of its client', async () => {
    const { code } = await sender.send(Buffer.alloc(12 * MIB, MESSAGE), KEY, { deadline: Date.now() + 1 });
    expect(code).toBe(status.DEADLINE_EXCEEDED);
    expect((await sender.send(MESSAGE, KEY)).code).toBe(status.OK);
  });

  it('is served over TLS with the certificate of the API', async () => {
    const tls = makeCertificate();
    const secured = await openForTest(openTestGateway({ otlpGrpcPort: 0 }, tls));
    const trusting = await openForTest(openGrpcSender(secured.grpcPort, { authority: tls.cert }));
    expect((await trusting.send(MESSAGE, KEY)).code).toBe(status.OK);
    const plain = await openForTest(openGrpcSender(secured.grpcPort));
    expect((await plain.send(MESSAGE, KEY)).code).toBe(status.UNAVAILABLE);
    expect(secured.stored).toHaveLength(1);
  });

  it('has no traces and no logs', async () => {
    const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
    const traces = await openForTest(openGrpcSender(gateway.grpcPort, { path }));
    expect((await traces.send(MESSAGE, KEY)).code).toBe(status.UNIMPLEMENTED);
  });

  it('answers UNIMPLEMENTED to a message in zstd, and names that encoding', async () => {
    const session = connect(`http://127.0.0.1:${gateway.grpcPort}`);
    const call = session.request({
      ':method': 'POST',
      ':path': EXPORT,
      'content-type': 'application/grpc',
      'grpc-encoding': 'zstd',
      te: 'trailers',
      ...KEY,
    });
    const packed = zstdCompressSync(MESSAGE);
    const frame = Buffer.alloc(5);
    frame.writeUInt8(1);
    frame.writeUInt32BE(packed.length, 1);
    call.end(Buffer.concat([frame, packed]));
    const [headers] = (await once(call, 'response')) as [IncomingHttpHeaders];
    session.destroy();
    expect(headers).toMatchObject({
      'grpc-status': String(status.UNIMPLEMENTED),
      'grpc-message': expect.stringContaining('zstd'),
    });
    expect(gateway.stored).toEqual([]);
  });
});
