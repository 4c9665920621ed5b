import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type DatadogFixture,
  encodeDatadogJson,
  encodeDatadogJson2,
  encodeDatadogProtobuf,
} from '../../testing/datadog.fixture.ts';
import { openTestGateway, TEST_KEY } from '../../testing/gateway.harness.ts';
import { nested } from '../../testing/protobuf-bytes.fixture.ts';

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.fail(null);
  gateway.stored.length = 0;
});

const now = () => Math.floor(Date.now() / 1_000);
const load = (host: string | undefined, value = 0.5, time = now()): DatadogFixture => ({
  metric: 'system.load.1',
  ...(host !== undefined && { host }),
  points: [[time, value]],
});

async function ask(method: string, path: string, body?: Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/datadog${path}`, {
    method,
    ...(body !== undefined && { body: new Uint8Array(body) }),
    headers: { 'DD-API-KEY': TEST_KEY, 'Content-Type': 'application/json', ...headers },
  });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers };
}

const PROTOBUF = { 'Content-Type': 'application/x-protobuf' };
const send = (series: readonly DatadogFixture[], headers: Record<string, string> = {}) =>
  ask('POST', '/api/v1/series', encodeDatadogJson(series), headers);
const send2 = (series: readonly DatadogFixture[], headers: Record<string, string> = {}) =>
  ask('POST', '/api/v2/series', encodeDatadogProtobuf(series), { ...PROTOBUF, ...headers });
const intake = (body: unknown, headers: Record<string, string> = {}) =>
  ask('POST', '/intake/', Buffer.from(JSON.stringify(body)), headers);
const payloads = () => gateway.stored.flatMap(({ payloads }) => payloads);
const TAKEN = { status: 202, text: '{"errors":[]}' };

describe("Datadog's agent", () => {
  it.each<[string, string, string, Buffer, Record<string, string>]>([
    ['JSON in deflate', 'deflate', '/api/v1/series', deflateSync(encodeDatadogJson([load('web-01')])), {}],
    ['JSON in zlib', 'zlib', '/api/v1/series', deflateSync(encodeDatadogJson([load('web-01')])), {}],
    ['JSON in gzip', 'gzip', '/api/v1/series', gzipSync(encodeDatadogJson([load('web-01')])), {}],
    ['JSON as it is', 'identity', '/api/v1/series', encodeDatadogJson([load('web-01')]), {}],
    ['JSON of version 2', 'identity', '/api/v2/series', encodeDatadogJson2([load('web-01')]), {}],
    [
      'JSON of version 2 in zstd',
      'zstd',
      '/api/v2/series',
      zstdCompressSync(encodeDatadogJson2([load('web-01')])),
      { 'Content-Type': 'application/json; charset=utf-8' },
    ],
    [
      'protobuf in zstd',
      'zstd',
      '/api/v2/series',
      zstdCompressSync(encodeDatadogProtobuf([load('web-01')])),
      PROTOBUF,
    ],
    [
      'protobuf in deflate',
      'deflate',
      '/api/v2/series',
      deflateSync(encodeDatadogProtobuf([load('web-01')])),
      PROTOBUF,
    ],
  ])('is answered 202 once its series are stored: %s', async (_, encoding, path, body, headers) => {
    expect(await ask('POST', path, body, { ...headers, 'Content-Encoding': encoding })).toMatchObject(TAKEN);
    expect(payloads()[0]).toMatchObject({
      host: 'web-01',
      metrics: ['system.load.1', 'load_1'],
      values: [0.5, 0.5],
    });
  });

  it('has the metrics of our agent by its checks, in whatever order its requests come', async () => {
    const time = now();
    const gauge = (metric: string, value: number, device?: string): DatadogFixture => ({
      metric,
      host: 'native',
      ...(device !== undefined && { device }),
      points: [[time, value]],
    });
    await send2([gauge('system.cpu.iowait', 2), gauge('system.disk.in_use', 0.25, '/')]);
    await send2([
      gauge('system.cpu.idle', 88),
      gauge('system.mem.pct_usable', 0.75),
      gauge('system.swap.pct_free', 0.5),
      gauge('system.disk.in_use', 0.5, '/dev/sdb1'),
      gauge('system.io.rkb_s', 3, 'sda'),
      gauge('system.net.bytes_rcvd', 500, 'eth0'),
      gauge('system.net.bytes_rcvd', 9_000, 'lo'),
    ]);
    const values = Object.fromEntries(
      payloads().flatMap(({ metrics, values }) => metrics.map((name, at) => [name, values[at]])),
    );
    expect(values).toMatchObject({
      cpu_percent: 10,
      memory_percent: 25,
      swap_percent: 50,
      disk_percent: 25,
      disk_fullest_percent: 50,
      disk_read_bytes_per_second: 3_072,
      network_receive_bytes_per_second: 500,
    });
  });

  it('stores counts as rates over their interval, and the same where it sends them again', async () => {
    const counts: DatadogFixture = {
      metric: 'shop.orders',
      host: 'counting',
      type: 'count',
      interval: 10,
      points: [[now(), 30]],
    };
    await send2([counts]);
    await send2([counts]);
    const stored = payloads().filter(({ host }) => host === 'counting');
    expect(stored.map(({ time, values }) => [time, values[0]])).toEqual([
      [stored[0]?.time, 3],
      [stored[0]?.time, 3],
    ]);
    expect(stored[0]?.metrics[0]).toBe('shop.orders_per_second');
  });

  it('is answered 503 with Retry-After while its series cannot be stored, and 202 for the same again', async () => {
    gateway.fail(new Error('the database is away'));
    const series = [load('away')];
    const { status, headers } = await send2(series);
    expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    gateway.fail(null);
    expect(await send2(series)).toMatchObject(TAKEN);
    expect(payloads().map(({ host }) => host)).toEqual(['away']);
  });

  it('has its valid series stored where others name no host, and is answered 400', async () => {
    const { status, text } = await send([load('web-01'), load(undefined)]);
    expect(status).toBe(400);
    expect(JSON.parse(text).errors[0]).toMatch(/^1 refused, the others are stored: .*set the field host$/);
    expect(payloads().map(({ host }) => host)).toEqual(['web-01']);
  });

  it('reports for the hosts of its key only', async () => {
    const { status, text } = await send2([load('db-01'), load('web-07')], {
      'DD-API-KEY': 'a-key-of-web-hosts',
    });
    expect([status, payloads().map(({ host }) => host)]).toEqual([400, ['web-07']]);
    expect(text).toContain('db-01');
  });
});

describe('tags of the host in /intake/', () => {
  const about = (host: string, ...system: string[]) => ({ internalHostname: host, 'host-tags': { system } });

  it('are stored with its next sample, and are no sample of their own', async () => {
    expect(await intake(about('tagged', 'env:prod', 'team:shop'))).toMatchObject(TAKEN);
    expect(payloads()).toEqual([]);
    await send([load('tagged')]);
    expect(payloads()[0]?.tags).toEqual({ env: 'prod', team: 'shop' });
  });

  it('take the place of the tags that were said before', async () => {
    await send([load('renamed')]);
    await intake(about('renamed', 'env:test', 'role:db'));
    await send([load('renamed', 1, now() + 1)]);
    await intake(about('renamed', 'env:prod'));
    await send([load('renamed', 1, now() + 2)]);
    expect(payloads().map(({ tags }) => tags)).toEqual([
      undefined,
      { env: 'test', role: 'db' },
      { env: 'prod' },
    ]);
  });

  it('are refused for a host that the key may not report for', async () => {
    const { status, text } = await intake(about('db-01', 'env:prod'), { 'DD-API-KEY': 'a-key-of-web-hosts' });
    expect([status, text]).toEqual([400, expect.stringContaining('db-01')]);
  });

  it('do not reach a host of another organization with the same name', async () => {
    await intake(about('shared-name', 'env:prod'), { 'DD-API-KEY': 'a-key-of-org-2' });
    await send([load('shared-name')]);
    expect(payloads()[0]?.tags).toBeUndefined();
  });
});

describe("what Datadog's agent asks beside", () => {
  it.each(['/api/v1/check_run', '/api/v1/metadata', '/api/v2/host_metadata', '/intake/'])(
    'is taken and not stored: POST %s',
    async (path) => {
      expect(await ask('POST', path, Buffer.from('[]'))).toMatchObject(TAKEN);
      expect(gateway.stored).toEqual([]);
    },
  );

  it('has distributions counted as left out', async () => {
    const body = nested(1, nested(1, 'latency'));
    expect(await ask('POST', '/api/beta/sketches', body, PROTOBUF)).toMatchObject(TAKEN);
  });

  it('learns whether its key is valid by 200 and 403', async () => {
    expect(await ask('GET', '/api/v1/validate')).toMatchObject({ status: 200, text: '{"valid":true}' });
    for (const key of ['', 'wrong', 'a-revoked-key', 'a-reading-key']) {
      const { status, text } = await ask('GET', '/api/v1/validate', undefined, { 'DD-API-KEY': key });
      expect([key, status]).toEqual([key, 403]);
      expect(JSON.parse(text).errors).toHaveLength(1);
    }
  });

  it.each<[string, string]>([
    ['GET', '/api/v1/validate'],
    ['POST', '/api/v1/series'],
    ['POST', '/intake/'],
  ])(
    'is refused with a key in its address, which the answer does not repeat: %s %s',
    async (method, path) => {
      const { status, text } = await ask(
        method,
        `${path}?api_key=${TEST_KEY}`,
        method === 'POST' ? Buffer.from('{}') : undefined,
      );
      expect([status, JSON.parse(text).errors[0]]).toEqual([
        400,
        expect.stringContaining('Send the key in the header DD-API-KEY'),
      ]);
      expect(text).not.toContain(TEST_KEY);
    },
  );

  it.each(['/api/intake/metrics/v3/series', '/intake', '/api/v1/series/', '/api/v1/distribution_points'])(
    'is a 404 at a path that is not taken: %s',
    async (path) => {
      expect((await ask('POST', path, Buffer.from('{}'))).status).toBe(404);
    },
  );
});

describe("a hostile request by the paths of Datadog's agent", () => {
  const oneSeries = encodeDatadogProtobuf([load('web-01')]);

  it.each<[string, string, Buffer, Record<string, string>, number]>([
    ['no key', '/api/v1/series', Buffer.from('{}'), { 'DD-API-KEY': '' }, 401],
    ['another type', '/api/v2/series', Buffer.from('{}'), { 'Content-Type': 'text/plain' }, 400],
    ['no type where two are possible', '/api/v2/series', oneSeries, { 'Content-Type': '' }, 400],
    ['protobuf as JSON', '/api/v2/series', oneSeries, {}, 400],
    ['JSON of version 1 by version 2', '/api/v2/series', encodeDatadogJson([load('web-01')]), {}, 400],
    ['JSON of version 2 by version 1', '/api/v1/series', encodeDatadogJson2([load('web-01')]), {}, 400],
    ['an unknown encoding', '/api/v2/series', oneSeries, { ...PROTOBUF, 'Content-Encoding': 'lz4' }, 400],
    ['two encodings', '/api/v2/series', oneSeries, { ...PROTOBUF, 'Content-Encoding': 'gzip, gzip' }, 400],
    ['plain bytes as zstd', '/api/v2/series', oneSeries, { ...PROTOBUF, 'Content-Encoding': 'zstd' }, 400],
    [
      'zstd as gzip',
      '/api/v2/series',
      zstdCompressSync(oneSeries),
      { ...PROTOBUF, 'Content-Encoding': 'gzip' },
      400,
    ],
    [
      'a bomb of zstd',
      '/api/v2/series',
      zstdCompressSync(Buffer.alloc(64 * 1_048_576)),
      { ...PROTOBUF, 'Content-Encoding': 'zstd' },
      400,
    ],
    [
      'a bomb of deflate',
      '/intake/',
      deflateSync(Buffer.alloc(64 * 1_048_576, 32)),
      { 'Content-Encoding': 'deflate' },
      400,
    ],
    ['a length of 2^31', '/api/v2/series', Buffer.from([10, 0x80, 0x80, 0x80, 0x80, 8]), PROTOBUF, 400],
    ['a varint of eleven bytes', '/api/v2/series', Buffer.alloc(11, 0xff), PROTOBUF, 400],
    ['a list in place of an object', '/api/v1/series', Buffer.from('[]'), {}, 400],
    ['an empty body', '/api/v1/series', Buffer.alloc(0), {}, 400],
    ['100,000 lists in each other', '/api/v1/series', Buffer.from('['.repeat(100_000)), {}, 400],
    [
      'members of Object as tags',
      '/api/v1/series',
      encodeDatadogJson([{ ...load('web-01'), metric: '__proto__', tags: ['constructor:x', '__proto__:y'] }]),
      {},
      202,
    ],
    ['a time of a year far away', '/api/v1/series', encodeDatadogJson([load('web-01', 1, 1e15)]), {}, 400],
    ['a time before 2000', '/api/v2/series', encodeDatadogProtobuf([load('web-01', 1, 1)]), PROTOBUF, 400],
    ['not a number', '/api/v2/series', encodeDatadogProtobuf([load('web-01', Number.NaN)]), PROTOBUF, 202],
    ['an infinite value', '/api/v2/series', encodeDatadogProtobuf([load('web-01', 1 / 0)]), PROTOBUF, 202],
  ])('is answered, and the next good one is taken: %s', async (_, path, body, headers, status) => {
    const answer = await ask('POST', path, body, headers);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).errors).toHaveLength(status === 202 ? 0 : 1);
    expect(await send([load('after')])).toMatchObject(TAKEN);
    expect(payloads().map(({ host }) => host)).toContain('after');
  });
});
