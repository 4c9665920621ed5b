import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { NDJSON, openTestGateway, sample, TEST_KEY, type TestGateway } from './testing/gateway.harness.ts';

const MIB = 1024 * 1024;

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.stored.length = 0;
});

const ingest = (...request: Parameters<TestGateway['ingest']>) => gateway.ingest(...request);
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe('ingest', () => {
  it('answers 200 to a payload once it is on the bus', async () => {
    const { status, answer, headers } = await ingest(sample());
    expect([status, answer]).toEqual([200, { status: 'ok', events_accepted: 1 }]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('ratelimit')).toContain('"ingest"; r=');
    expect(gateway.stored).toMatchObject([
      {
        kind: 'samples',
        organizationId: 'org_1',
        stalledMs: 0,
        payloads: [{ host: 'web-01', ...metricsOf({ cpu_percent: 1 }) }],
      },
    ]);
  });

  it('accepts an array of a thousand payloads', async () => {
    const { answer } = await ingest(Array.from({ length: 1_000 }, (_, index) => sample(`h${index}`)));
    expect(answer).toEqual({ status: 'ok', events_accepted: 1_000 });
  });

  it.each(['\n', '\r\n', '\n\n \n'])('accepts lines of NDJSON separated by %j', async (separator) => {
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
  ])('accepts bodies compressed with %s, small and large', async (encoding, compress) => {
    const large = Array.from({ length: 1_000 }, (_, index) =>
      sample(`${'h'.repeat(200)}${index}`, { tags: { t: 'x'.repeat(200) } }),
    );
    for (const [body, count] of [
      [[sample()], 1],
      [large, 1_000],
    ] as const) {
      const packed = new Uint8Array(await compress(Buffer.from(JSON.stringify(body))));
      const { answer } = await ingest(packed, { 'Content-Encoding': encoding });
      expect(answer).toEqual({ status: 'ok', events_accepted: count });
    }
  });

  it('decodes a large body in the decoding thread', async () => {
    const metrics = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`metric_${index}`, index]));
    const many = Array.from({ length: 500 }, (_, index) => ({ host: `h${index}`, metrics }));
    const packed = new Uint8Array(zlib.gzipSync(JSON.stringify(many)));
    expect((await ingest(packed, { 'Content-Encoding': 'gzip' })).answer).toEqual({
      status: 'ok',
      events_accepted: 500,
    });
    expect(gateway.stored[0]?.payloads).toHaveLength(500);
    expect(gateway.stored[0]?.payloads[499]).toMatchObject({ host: 'h499', ...metricsOf(metrics) });
  });

  it('accepts a bearer token, and a key with the scope admin', async () => {
    const { status } = await ingest(sample(), { 'X-API-Key': '', Authorization: `Bearer ${TEST_KEY}` });
    expect(status).toBe(200);
    expect((await ingest(sample(), { 'X-API-Key': 'an-admin-key' })).status).toBe(200);
  });

  it('accepts the valid payloads of a batch under lenient handling and names the faults of the others', async () => {
    const body = [sample('a'), sample('b', { metrics: { cpu: 'x' } }), sample('c')];
    const { status, answer, headers } = await ingest(body, { Prefer: 'return=minimal, handling=lenient' });
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      events_accepted: 2,
      events_rejected: 1,
      errors: [{ path: '/1/metrics/cpu' }],
    });
    expect(headers.get('preference-applied')).toBe('handling=lenient');
    expect(gateway.stored[0]?.payloads.map(({ host }) => host)).toEqual(['a', 'c']);
  });

  it('returns a receipt to a client that prefers one', async () => {
    const Prefer = 'handling=lenient, return=representation';
    const { answer, headers } = await ingest([sample(), sample('')], { Prefer });
    const [receipt] = gateway.receipts.splice(0);
    expect(receipt).toMatchObject({ organizationId: 'org_1', keyId: 'key_test' });
    const { id } = receipt ?? {};
    expect(answer).toMatchObject({
      events_accepted: 1,
      events_rejected: 1,
      receipt: { id, records: [{ transaction: '88123' }] },
    });
    expect(headers.get('preference-applied')).toBe('handling=lenient, return=representation');
    expect(gateway.stored).toMatchObject([{ receiptId: id }]);
  });

  it('leaves the receipt out where it cannot be saved or nothing was published', async () => {
    const Prefer = 'return=representation';
    gateway.failReceipts(new Error('the database is away'));
    const refused = await ingest(sample(), { Prefer });
    gateway.failReceipts(null);
    const nothing = await ingest(sample(''), { Prefer: `${Prefer}, handling=lenient` });
    expect([refused.answer, refused.headers.get('preference-applied')]).toEqual([
      { status: 'ok', events_accepted: 1 },
      null,
    ]);
    expect(nothing.headers.get('preference-applied')).toBe('handling=lenient');
    expect(gateway.receipts).toEqual([]);
  });

  it('returns warnings of ignored fields to a client that prefers them', async () => {
    const typo = sample('a', { tag: { region: 'eu-1' } });
    const expected = { code: 'unknown_field', payloads: 1 };
    const one = await ingest(typo, { Prefer: 'warnings' });
    expect(one.answer).toMatchObject({ events_accepted: 1, warnings: [{ ...expected, path: '/tag' }] });
    expect(one.headers.get('preference-applied')).toBe('warnings');
    const lines = `${JSON.stringify(sample())}\n${JSON.stringify(typo)}`;
    const several = await ingest(lines, { ...NDJSON, Prefer: 'handling=lenient, warnings' });
    expect(several.answer).toMatchObject({
      events_accepted: 2,
      events_rejected: 0,
      warnings: [{ ...expected, path: '/1/tag' }],
    });
    expect(several.headers.get('preference-applied')).toBe('handling=lenient, warnings');
    expect((await ingest(sample(), { Prefer: 'warnings' })).answer).toEqual({
      status: 'ok',
      events_accepted: 1,
      warnings: [],
    });
    expect((await ingest(typo)).answer).toEqual({ status: 'ok', events_accepted: 1 });
  });

  it('returns warnings of a large body that the decoding thread decodes', async () => {
    const metrics = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`metric_${index}`, index]));
    const many = Array.from({ length: 200 }, (_, index) => ({ host: `h${index}`, metrics, host_name: 'x' }));
    const packed = new Uint8Array(zlib.gzipSync(JSON.stringify(many)));
    const { answer } = await ingest(packed, { 'Content-Encoding': 'gzip', Prefer: 'warnings' });
    expect(answer).toMatchObject({
      events_accepted: 200,
      warnings: [{ path: '/0/host_name', payloads: 200 }],
    });
  });

  it('counts ignored fields under the names of known fields alone', async () => {
    const sent = sample('a', { tag: 1, made_up_by_somebody: 1 });
    const counted = async () => {
      const text = await (await fetch(`${gateway.url}/metrics`)).text();
      const found = text.matchAll(/^tidewatch_ingest_unknown_fields_total\{field="([^"]+)"\} (\d+)$/gm);
      return new Map([...found].map(([, field, count]) => [field, Number(count)]));
    };
    const before = await counted();
    await ingest(sent);
    const after = await counted();
    expect(after.get('tags')).toBe((before.get('tags') ?? 0) + 1);
    expect(after.get('other')).toBe((before.get('other') ?? 0) + 1);
    expect([...after.keys()].filter((field) => field?.includes('made_up'))).toEqual([]);
  });

  it('answers 200 and accepts nothing under lenient handling where no payload is valid', async () => {
    const { status, answer } = await ingest(sample(''), { Prefer: 'handling=lenient' });
    expect([status, answer.events_accepted, answer.events_rejected]).toEqual([200, 0, 1]);
  });
});

describe('ingest of invalid requests', () => {
  it.each([
    ['nothing', '', {}, ''],
    ['no JSON', '{broken', {}, ''],
    ['a scalar', '5', {}, ''],
    ['null', 'null', {}, ''],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, ''],
    ['an empty array', '[]', {}, ''],
    ['no gzip', bytes('{"host":"a","metrics":{}}'), { 'Content-Encoding': 'gzip' }, ''],
    [
      'half a gzip',
      new Uint8Array(zlib.gzipSync('{"host":"a","metrics":{}}').subarray(0, 30)),
      { 'Content-Encoding': 'gzip' },
      '',
    ],
    [
      'half a br',
      new Uint8Array(zlib.brotliCompressSync('{"host":"a","metrics":{}}').subarray(0, 15)),
      { 'Content-Encoding': 'br' },
      '',
    ],
    [
      'half a zstd',
      new Uint8Array(zlib.zstdCompressSync('{"host":"a","metrics":{}}').subarray(0, 20)),
      { 'Content-Encoding': 'zstd' },
      '',
    ],
    ['blank lines', '\n\n', NDJSON, ''],
    ['a line that is no JSON', `${JSON.stringify(sample())}\n\n{no`, NDJSON, '/1'],
    ['a faulty element', '[{"host":"a","metrics":{}},{"host":"a","metrics":{"x":"y"}}]', {}, '/1/metrics/x'],
  ])('answers 422 to a body that is %s', async (_name, body, headers, path) => {
    const { status, answer } = await ingest(body, headers as Record<string, string>);
    expect([status, answer.errors.map((each) => each.path)]).toEqual([422, [path]]);
    expect(gateway.stored).toEqual([]);
  });

  it('answers 422 to 1,001 payloads, as JSON and as NDJSON', async () => {
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
  ])('answers 415 to a request with the headers %j', async (headers, code) => {
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
  ])('refuses the key "%.20s" with %s before it reads the body', async (key, code, expected) => {
    const { status, answer } = await ingest(' '.repeat(MIB + 1), {
      'X-API-Key': key,
      'Content-Type': 'text/plain',
    });
    expect([status, answer.code]).toEqual([expected, code]);
  });

  it('answers 429 to more requests than the key may send', async () => {
    const send = () => ingest(sample(), { 'X-API-Key': 'a-limited-key' });
    const taken = [await send(), await send()];
    expect(taken.map((each) => each.status)).toEqual([200, 200]);
    const left = taken.map(
      (each) => /^"ingest"; r=(\d+); t=\d+$/.exec(each.headers.get('ratelimit') ?? '')?.[1],
    );
    expect(left).toEqual(['1', '0']);
    const { status, answer, headers } = await send();
    expect([status, answer.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toContain('q=2');
  });
});

describe('a key that may report for some hosts', () => {
  const headers = { 'X-API-Key': 'a-key-of-web-hosts' };

  it('reports for these hosts, which are recorded as hosts of the key', async () => {
    const { status } = await ingest([sample('web-1'), sample('cache')], headers);
    expect([status, gateway.reported.get('key_web')]).toEqual([200, ['web-1', 'cache']]);
  });

  it.each([
    ['alone', sample('db-1')],
    ['beside one of them', [sample('web-1'), sample('db-1')]],
  ])('is refused for any other host %s, and nothing is stored', async (_, body) => {
    const { status, answer } = await ingest(body, { ...headers, Prefer: 'handling=lenient' });
    expect([status, answer.code]).toEqual([403, 'host_not_allowed']);
    expect(answer.detail).toContain('"db-1"');
    expect(gateway.stored).toEqual([]);
  });
});

it.each(['tw_…', 'tw_...', '<API_KEY>'])(
  'the placeholder %s in place of a key is named as one',
  async (key) => {
    const asSent = Buffer.from(key).toString('latin1');
    const forms: Record<string, string>[] = [
      { 'X-API-Key': asSent },
      { 'X-API-Key': '', Authorization: `Bearer ${asSent}` },
    ];
    for (const headers of forms) {
      const { status, answer } = await ingest(sample(), headers);
      expect([status, answer.code]).toEqual([401, 'key_invalid']);
      expect(answer.detail).toContain('placeholder of an example');
    }
  },
);

it('the error about a path that contains the placeholder of an example names the placeholder', async () => {
  const response = await fetch(`${gateway.url}/api/v1/services/svc_…`);
  expect(response.status).toBe(404);
  expect(((await response.json()) as { detail: string }).detail).toContain('placeholder of an example');
});

it('ingest refuses a timestamp whose offset lacks its colon, and shows the right spelling', async () => {
  const { status, answer } = await ingest(sample('a', { timestamp: '2026-11-21T14:36:28+0530' }));
  expect(status).toBe(422);
  expect(answer.errors).toMatchObject([
    { path: '/timestamp', message: expect.stringContaining('Write 2026-11-21T14:36:28+05:30.') },
  ]);
});
