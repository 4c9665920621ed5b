import { gzipSync, zstdCompressSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY } from '../../testing/gateway.harness.ts';
import { encodeRequest1, encodeRequest2, type SeriesFixture } from '../../testing/remote-write.fixture.ts';
import { compressSnappy } from '../../testing/snappy.fixture.ts';
import { MAX_POINTS } from '../series/point-batch.ts';

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.fail(null);
  gateway.stored.length = 0;
});

const VERSION_2 = 'application/x-protobuf;proto=io.prometheus.write.v2.Request';

function load(host: string, value: number, timestamp = Date.now()): SeriesFixture {
  const labels = ['__name__', 'node_load1', 'instance', `${host}:9100`, 'job', 'node'];
  return { labels, samples: [{ value, timestamp }] };
}

async function send(body: Buffer, headers: Record<string, string> = {}, path = '/api/v1/write') {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: {
      'Content-Type': 'application/x-protobuf',
      'Content-Encoding': 'snappy',
      Authorization: `Bearer ${TEST_KEY}`,
      ...headers,
    },
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const send2 = (...series: SeriesFixture[]) =>
  send(compressSnappy(encodeRequest2(series)), { 'Content-Type': VERSION_2 });
const hosts = () => gateway.stored.flatMap(({ payloads }) => payloads.map(({ host }) => host));
const latest = () => gateway.stored.at(-1)?.payloads[0];

describe('remote write', () => {
  it.each([
    ['snappy', compressSnappy],
    ['zstd', zstdCompressSync],
  ])('of version 1.0 in %s is answered 204 once it is stored', async (encoding, compress) => {
    const body = Buffer.from(compress(encodeRequest1([load('web-01', 0.5)])));
    expect(await send(body, { 'Content-Encoding': encoding })).toMatchObject({ status: 204, text: '' });
    expect(latest()).toMatchObject({ host: 'web-01', metrics: ['node_load1', 'load_1'], values: [0.5, 0.5] });
  });

  it.each([
    ['1.0', 'application/x-protobuf', (series: SeriesFixture[]) => encodeRequest1(series)],
    ['2.0', VERSION_2, (series: SeriesFixture[]) => encodeRequest2(series)],
  ])(
    'of version %s that is decoded while others arrive has its own values',
    async (version, type, encode) => {
      const sendLoads = (value: number, count: number) => {
        const loads = Array.from({ length: count }, (_, host) => load(`${version}-${value}-${host}`, value));
        return send(compressSnappy(encode(loads)), { 'Content-Type': type });
      };
      // Large bodies are decoded a few milliseconds at a time, and smaller ones meanwhile.
      const sizes = Array.from({ length: 24 }, (_, value) => (value % 4 === 0 ? 2_000 : 20));
      const answers = await Promise.all(sizes.map((count, value) => sendLoads(value, count)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      const stored = gateway.stored.flatMap(({ payloads }) => payloads);
      expect(stored).toHaveLength(sizes.reduce((sum, count) => sum + count, 0));
      const wrong = stored.filter(({ host, values }) => Number(host.split('-')[1]) !== values[0]);
      expect(wrong).toEqual([]);
    },
  );

  it('of version 2.0 says how much was written, also of what is left out', async () => {
    const up: SeriesFixture = {
      labels: ['__name__', 'up', 'instance', 'web-01:9100', 'job', 'node'],
      samples: [{ value: 1, timestamp: Date.now() }],
    };
    const body = compressSnappy(encodeRequest2([load('web-01', 1), up, load('web-02', Number.NaN)]));
    const { status, headers } = await send(body, { 'Content-Type': VERSION_2 });
    expect([status, headers.get('x-prometheus-remote-write-samples-written')]).toEqual([204, '3']);
    expect(headers.get('x-prometheus-remote-write-histograms-written')).toBe('0');
    expect(hosts()).toEqual(['web-01']);
  });

  it.each<[string, string, (series: SeriesFixture) => Promise<unknown>]>([
    [
      '1.0',
      'typed',
      async (series) => {
        const name = series.labels[1] as string;
        await send(compressSnappy(encodeRequest1([], [{ type: series.type, metricFamilyName: name }])));
        gateway.stored.length = 0;
        return send(compressSnappy(encodeRequest1([series])));
      },
    ],
    ['2.0', 'typed-2', (series) => send2({ ...series, unit: 'seconds' })],
  ])('of version %s goes on with series whose type metadata say later', async (version, host, sendTyped) => {
    const began = Date.now() - 30_000;
    const labelsOf = (name: string) => ['__name__', name, 'instance', `${host}:9100`, 'job', 'node'];
    const counter = (seconds: number): SeriesFixture => ({
      labels: labelsOf('node_intr_total'),
      samples: [{ value: 1_000 + seconds * 3, timestamp: began + seconds * 1_000 }],
    });
    const histogram = (seconds: number): SeriesFixture => ({
      labels: labelsOf('lag_seconds'),
      histograms: [
        { countFloat: 10 + seconds * 2, sum: 1 + seconds * 4, timestamp: began + seconds * 1_000 },
      ],
    });
    const sendUntyped = (series: SeriesFixture) =>
      version === '1.0' ? send(compressSnappy(encodeRequest1([series]))) : send2(series);
    for (const seconds of [0, 10]) {
      await sendUntyped(counter(seconds));
      await sendUntyped(histogram(seconds));
    }
    gateway.stored.length = 0;
    expect(await sendTyped({ ...counter(20), type: 1 })).toMatchObject({ status: 204 });
    expect(latest()).toMatchObject({ host, metrics: ['node_intr_per_second'], values: [3] });
    gateway.stored.length = 0;
    expect(await sendTyped({ ...histogram(20), type: 3 })).toMatchObject({ status: 204 });
    expect(latest()).toMatchObject({ host, parts: { values: [2, 2] } });
  });

  it('is taken at the path of Mimir as well', async () => {
    const body = compressSnappy(encodeRequest1([load('web-01', 1)]));
    expect((await send(body, {}, '/api/v1/push')).status).toBe(204);
  });

  it('stores the valid rest and answers 400 where a series names no host', async () => {
    const nameless: SeriesFixture = {
      labels: ['__name__', 'http_requests', 'job', 'shop'],
      samples: [{ value: 1, timestamp: Date.now() }],
    };
    const body = compressSnappy(encodeRequest2([load('web-01', 1), nameless]));
    const { status, text, headers } = await send(body, { 'Content-Type': VERSION_2 });
    expect([status, headers.get('x-prometheus-remote-write-samples-written')]).toEqual([400, '1']);
    expect(text).toContain('http_requests names no host: add external_labels');
    expect(hosts()).toEqual(['web-01']);
  });

  it('names the host of every series by X-Tidewatch-Host', async () => {
    const nameless: SeriesFixture = {
      labels: ['__name__', 'load', 'job', 'shop'],
      samples: [{ value: 1, timestamp: Date.now() }],
    };
    const body = compressSnappy(encodeRequest1([nameless]));
    expect((await send(body, { 'X-Tidewatch-Host': 'db-01' })).status).toBe(204);
    expect(hosts()).toEqual(['db-01']);
  });

  it('refuses hosts that the key may not report for, and stores the others', async () => {
    const body = compressSnappy(encodeRequest1([load('web-01', 1), load('db-01', 1)]));
    const { status, text } = await send(body, { Authorization: 'Bearer a-key-of-web-hosts' });
    expect([status, hosts()]).toEqual([400, ['web-01']]);
    expect(text).toContain('the key may not report for the host "db-01"');
  });

  it('answers 503 with Retry-After while it cannot be stored, and the same rate once it is sent again', async () => {
    const counter = (value: number, time: number) =>
      compressSnappy(
        encodeRequest1([
          {
            labels: ['__name__', 'node_intr_total', 'instance', 'again:9100', 'job', 'node'],
            samples: [{ value, timestamp: time }],
          },
        ]),
      );
    const now = Date.now();
    expect((await send(counter(100, now - 20_000))).status).toBe(204);
    gateway.fail(new Error('the database is away'));
    const refused = await send(counter(300, now - 10_000));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    gateway.fail(null);
    for (const _ of ['again', 'and once more']) {
      expect((await send(counter(300, now - 10_000))).status).toBe(204);
      expect(latest()).toMatchObject({ metrics: ['node_intr_per_second'], values: [20] });
    }
  });

  it('never answers 429: what a key sends too often is 503 with Retry-After', async () => {
    const body = compressSnappy(encodeRequest1([load('web-01', 1)]));
    const headers = { Authorization: 'Bearer a-limited-key' };
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push((await send(body, headers)).status);
    expect(answers).toEqual([204, 204, 503]);
  });

  it.each([
    ['a password of basic authentication', `Basic ${Buffer.from(`any:${TEST_KEY}`).toString('base64')}`, 204],
    ['a token', `Token ${TEST_KEY}`, 204],
    ['no key', '', 401],
    ['a wrong key', 'Bearer nothing', 401],
    ['a key without the scope', 'Bearer a-reading-key', 403],
  ])('with %s', async (_, authorization, status) => {
    const body = compressSnappy(encodeRequest1([load('web-01', 1)]));
    expect((await send(body, { Authorization: authorization })).status).toBe(status);
  });

  it('with a key in the address is answered 401', async () => {
    const body = compressSnappy(encodeRequest1([load('web-01', 1)]));
    expect((await send(body, { Authorization: '' }, `/api/v1/write?api_key=${TEST_KEY}`)).status).toBe(401);
  });

  it.each([
    ['another type', compressSnappy(encodeRequest1([])), { 'Content-Type': 'application/json' }, 415],
    ['an unknown message', compressSnappy(encodeRequest1([])), { 'Content-Type': `${VERSION_2}3` }, 415],
    ['an unknown encoding', encodeRequest1([]), { 'Content-Encoding': 'lz4' }, 415],
    [
      'gzip, which the protocol does not have',
      gzipSync(encodeRequest1([])),
      { 'Content-Encoding': 'gzip' },
      415,
    ],
    ['two encodings', encodeRequest1([]), { 'Content-Encoding': 'gzip, gzip' }, 415],
    ['bytes that are no snappy', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0]), {}, 400],
    ['a body of 2.0 that says 1.0', compressSnappy(encodeRequest2([load('a', 1)])), {}, 400],
    [
      'a host of 300 characters',
      compressSnappy(encodeRequest1([])),
      { 'X-Tidewatch-Host': 'h'.repeat(300) },
      400,
    ],
    ['nothing', compressSnappy(Buffer.alloc(0)), {}, 204],
  ])('of %s', async (_, body, headers, status) => {
    expect((await send(body, headers)).status).toBe(status);
    expect(gateway.stored).toEqual([]);
  });

  it('refuses a request of more points than any sender puts into one, and takes the next', async () => {
    const now = Date.now();
    const samples = Array.from({ length: MAX_POINTS + 1 }, (_, index) => ({
      value: 1,
      timestamp: now - index,
    }));
    const body = compressSnappy(encodeRequest1([{ ...load('web-01', 1), samples }]));
    const { status, text } = await send(body);
    expect([status, text]).toEqual([400, expect.stringContaining('at most 200000 points')]);
    expect(gateway.stored).toEqual([]);
    expect((await send(compressSnappy(encodeRequest1([load('web-01', 1)])))).status).toBe(204);
  });

  it('refuses times before 2000 and more than a day ahead, each alone', async () => {
    const now = Date.now();
    const series = load('web-01', 1, now);
    const samples = [0, 946_684_799_999, now, now + 90_000_000].map((timestamp) => ({ value: 1, timestamp }));
    const { status, text } = await send(compressSnappy(encodeRequest1([{ ...series, samples }])));
    expect([status, latest()?.time]).toEqual([400, Math.floor(now / 1_000) * 1_000]);
    expect(text).toContain('3 refused');
  });
});
