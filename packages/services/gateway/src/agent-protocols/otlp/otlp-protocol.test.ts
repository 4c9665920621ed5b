import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import protobuf from 'protobufjs';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY } from '../../testing/gateway.harness.ts';
import { encodeOtlp, encodeOtlpJson, metricsOf } from '../../testing/otlp.fixture.ts';
import { compressSnappy } from '../../testing/snappy.fixture.ts';

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.fail(null);
  gateway.stored.length = 0;
});

const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const { root } = protobuf.parse(`
syntax = "proto3";
message Partial { int64 rejected_data_points = 1; string error_message = 2; }
message Exported { Partial partial_success = 1; }
message Status { int32 code = 1; string message = 2; }
`);

/** The message of an answer in protobuf. */
function read(message: 'Exported' | 'Status', bytes: Uint8Array): object {
  const type = root.lookupType(message);
  return type.toObject(type.decode(bytes), { longs: Number });
}

async function send(body: Buffer, headers: Record<string, string> = {}, path = '/v1/metrics') {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'Content-Type': PROTOBUF, 'X-API-Key': TEST_KEY, ...headers },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes,
    headers: response.headers,
  };
}

const nanoseconds = (ms: number) => `${Math.round(ms)}000000`;

function load(value: number, time = Date.now()): object {
  const dataPoints = [{ asDouble: value, timeUnixNano: nanoseconds(time) }];
  return { name: 'system.cpu.load_average.1m', gauge: { dataPoints } };
}

/** Processor time of one core in one state: cumulative seconds since `start`, or what was added since then. */
function time(state: string, value: number, at: number, temporality: 1 | 2, start: number): object {
  const attributes = [{ key: 'state', value: { stringValue: state } }];
  const dataPoints = [
    { asDouble: value, attributes, timeUnixNano: nanoseconds(at), startTimeUnixNano: nanoseconds(start) },
  ];
  return {
    name: 'system.cpu.time',
    unit: 's',
    sum: { dataPoints, aggregationTemporality: temporality, isMonotonic: true },
  };
}

const latest = () => {
  const { metrics = [], values = [] } = gateway.stored.at(-1)?.payloads[0] ?? {};
  return Object.fromEntries(metrics.map((metric, index) => [metric, values[index]]));
};

describe('OTLP over HTTP', () => {
  it.each([
    ['protobuf', PROTOBUF, encodeOtlp, new Uint8Array()],
    ['JSON', JSON_TYPE, encodeOtlpJson, new Uint8Array(Buffer.from('{}'))],
  ])('in %s is answered in its own type once it is stored', async (_, type, encode, empty) => {
    const answer = await send(encode([metricsOf('web-01', load(0.5))]), {
      'Content-Type': type,
      Accept: 'text/html',
    });
    expect(answer).toMatchObject({ status: 200, type, bytes: empty });
    expect(gateway.stored[0]?.payloads[0]?.host).toBe('web-01');
    expect(latest()).toEqual({ 'system.cpu.load_average.1m': 0.5, load_1: 0.5 });
  });

  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
    ['zlib', deflateSync],
    ['snappy', compressSnappy],
  ])('is taken in %s', async (encoding, compress) => {
    const body = Buffer.from(compress(encodeOtlp([metricsOf('web-01', load(1))])));
    expect((await send(body, { 'Content-Encoding': encoding })).status).toBe(200);
    expect(gateway.stored).toHaveLength(1);
  });

  it.each(['/api/v1/otlp/v1/metrics', '/otlp/v1/metrics'])('is taken at %s', async (path) => {
    expect((await send(encodeOtlp([metricsOf('web-01', load(1))]), {}, path)).status).toBe(200);
  });

  it.each(['/v1/traces', '/v1/logs'])('is not there at %s', async (path) => {
    expect((await send(encodeOtlp([]), {}, path)).status).toBe(404);
  });

  it('gives the same cpu_percent for cumulative and delta temporality', async () => {
    const now = Date.now();
    for (const [at, idle, user] of [
      [now - 20_000, 100, 50],
      [now - 10_000, 107, 53],
    ] as const) {
      const points = [time('idle', idle, at, 2, now - 60_000), time('user', user, at, 2, now - 60_000)];
      await send(encodeOtlp([metricsOf('cumulative', ...points)]));
    }
    expect(latest().cpu_percent).toBeCloseTo(30);
    const points = [time('idle', 7, now, 1, now - 10_000), time('user', 3, now, 1, now - 10_000)];
    await send(encodeOtlp([metricsOf('delta', ...points)]));
    expect(latest().cpu_percent).toBeCloseTo(30);
    expect(latest()['system.cpu.time.user_per_second']).toBeCloseTo(0.3);
  });

  it('leaves out metrics of processes without a name that are no service, of which each would overwrite the other', async () => {
    const ofProcess = (pid: string, name: string, value: string) => ({
      resource: {
        attributes: [
          { key: 'host.name', value: { stringValue: 'web-01' } },
          { key: 'process.pid', value: { intValue: pid } },
        ],
      },
      scopeMetrics: [{ metrics: [{ name, gauge: { dataPoints: [{ asInt: value }] } }] }],
    });
    const body = encodeOtlp([
      ofProcess('1', 'process.memory.usage', '100'),
      ofProcess('2', 'process.memory.usage', '200'),
      metricsOf('web-01', load(1)),
    ]);
    expect((await send(body)).bytes).toEqual(new Uint8Array());
    const payloads = gateway.stored.flatMap((batch) => batch.payloads);
    expect(payloads.flatMap(({ parts }) => parts?.shape.kinds ?? [])).not.toContain('process_series');
    expect(latest()).toMatchObject({ load_1: 1 });
  });

  it('takes the time of arrival for a point without a time', async () => {
    const before = Date.now();
    await send(encodeOtlp([metricsOf('web-01', load(1, 0))]));
    expect(gateway.stored[0]?.payloads[0]?.time).toBeGreaterThanOrEqual(before - 1_000);
  });

  it('says in a partial success how many points were refused, and stores the others', async () => {
    const nameless = { resource: { attributes: [] }, scopeMetrics: [{ metrics: [load(1)] }] };
    const { status, bytes } = await send(encodeOtlp([metricsOf('web-01', load(1)), nameless]));
    expect([status, read('Exported', bytes)]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedDataPoints: 1,
          errorMessage: expect.stringContaining('names no host: set the resource attribute host.name'),
        },
      },
    ]);
    expect(gateway.stored).toHaveLength(1);
  });

  it('answers 503 with Retry-After and a Status while it cannot be stored, never 500', async () => {
    gateway.fail(new Error('the database is away'));
    const { status, bytes, headers, type } = await send(encodeOtlp([metricsOf('web-01', load(1))]));
    expect([status, type, headers.get('retry-after')]).toEqual([
      503,
      PROTOBUF,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(read('Status', bytes)).toMatchObject({
      code: 14,
      message: expect.stringContaining('ingest_unavailable'),
    });
  });

  it.each<[string, Buffer, Record<string, string>, number, number]>([
    ['bytes that are no message', Buffer.from([0xff, 0xff]), {}, 400, 3],
    ['no key', encodeOtlp([]), { 'X-API-Key': '' }, 401, 16],
    ['a key without the scope', encodeOtlp([]), { 'X-API-Key': 'a-reading-key' }, 403, 7],
    ['gzip that is plain', encodeOtlp([metricsOf('a', load(1))]), { 'Content-Encoding': 'gzip' }, 400, 3],
    [
      'a bomb of zstd',
      zstdCompressSync(Buffer.alloc(100 * 1_048_576)),
      { 'Content-Encoding': 'zstd' },
      413,
      3,
    ],
  ])('of %s is refused with a Status', async (_, body, headers, status, code) => {
    const answer = await send(body, headers);
    expect([answer.status, read('Status', answer.bytes)]).toEqual([
      status,
      { code, message: expect.stringMatching(/\w+: /) },
    ]);
    expect(gateway.stored).toEqual([]);
  });

  it('of a faulty JSON is refused with a Status in JSON', async () => {
    const { status, bytes, type } = await send(Buffer.from('{"resourceMetrics": [}'), {
      'Content-Type': JSON_TYPE,
    });
    expect([status, type]).toEqual([400, JSON_TYPE]);
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ code: 3 });
  });
});
