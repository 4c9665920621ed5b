import { gzipSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY } from '../../testing/gateway.harness.ts';
import { INFLUX_VERSION } from './influx-router.ts';

const gateway = await openForFile(openTestGateway());

beforeEach(() => {
  gateway.fail(null);
  gateway.stored.length = 0;
});

const VERSION_1 = '/write?db=telegraf';
const VERSION_2 = '/api/v2/write?org=any&bucket=any';

async function send(body: string | Buffer, headers: Record<string, string> = {}, path = VERSION_2) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { Authorization: `Token ${TEST_KEY}`, ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? null : (JSON.parse(text) as Record<string, string>),
    headers: response.headers,
  };
}

const hosts = () => gateway.stored.flatMap(({ payloads }) => payloads.map(({ host }) => host));
const latest = () => {
  const { metrics = [], values = [] } = gateway.stored.at(-1)?.payloads[0] ?? {};
  return Object.fromEntries(metrics.map((metric, index) => [metric, values[index]]));
};

describe('line protocol', () => {
  it.each([
    ['version 1', VERSION_1],
    ['version 2', VERSION_2],
  ])('of %s is answered 204 once it is stored', async (_, path) => {
    const now = Math.floor(Date.now() / 1_000);
    const body = `cpu,host=web-01,cpu=cpu-total usage_idle=87.5,usage_iowait=0.5 ${now}000000000`;
    expect(await send(body, {}, path)).toMatchObject({ status: 204, body: null });
    expect(latest()).toMatchObject({ cpu_usage_idle: 87.5, cpu_percent: 12 });
    expect(gateway.stored.at(-1)?.payloads[0]).toMatchObject({ host: 'web-01', time: now * 1_000 });
  });

  it('in gzip and without a type is taken', async () => {
    const { status } = await send(gzipSync('mem,host=web-01 available=25i,total=100i'), {
      'Content-Encoding': 'gzip',
    });
    expect([status, latest()['memory_percent']]).toEqual([204, 75]);
  });

  it('without times is of the time of its arrival', async () => {
    const before = Date.now();
    expect((await send('system,host=web-01 load1=1')).status).toBe(204);
    const time = gateway.stored.at(-1)?.payloads[0]?.time as number;
    expect(time).toBeGreaterThan(before - 1_000);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ['ns', VERSION_2, 1],
    ['us', VERSION_2, 1_000],
    ['ms', VERSION_2, 1_000_000],
    ['s', VERSION_2, 1_000_000_000],
    ['n', VERSION_1, 1],
    ['u', VERSION_1, 1_000],
    ['m', VERSION_1, 60_000_000_000],
    ['h', VERSION_1, 3_600_000_000_000],
  ])('has times in the precision %s at %s', async (precision, path, nanoseconds) => {
    const time = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const units = BigInt(time) * 1_000_000n;
    const body = `system,host=web-01 load1=1 ${units / BigInt(nanoseconds)}`;
    expect((await send(body, {}, `${path}&precision=${precision}`)).status).toBe(204);
    expect(gateway.stored.at(-1)?.payloads[0]?.time).toBe(time);
  });

  it('with a faulty line stores the others, and says in the form of its version which was not', async () => {
    const body = 'system,host=web-01 load1=1\ncpu,host=web-01\nsystem,host=web-02 load1=2\n';
    const version2 = await send(body);
    expect([version2.status, hosts()]).toEqual([400, ['web-01', 'web-02']]);
    expect(version2.body).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^partial write: 1 refused.*line 2: .*dropped=1$/),
    });
    const version1 = await send(body, {}, VERSION_1);
    expect([version1.status, version1.body?.['error']]).toEqual([400, version2.body?.['message']]);
  });

  it('without a host is refused, and the answer says what to set', async () => {
    const { status, body } = await send('mem available=1i');
    expect([status, body?.['message']]).toEqual([400, expect.stringContaining('names no host')]);
    expect(gateway.stored).toEqual([]);
  });

  it('answers 503 with Retry-After while it cannot be stored, and is stored once it is sent again', async () => {
    gateway.fail(new Error('the database is away'));
    const body = 'system,host=web-01 load1=1';
    const { status, headers, body: refused } = await send(body);
    expect([status, refused?.['code'], headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      expect.stringMatching(/^\d+$/),
    ]);
    gateway.fail(null);
    expect((await send(body)).status).toBe(204);
    expect(hosts()).toEqual(['web-01']);
  });

  it.each([
    ['an unknown precision', 'a b=1', VERSION_2, { path: '&precision=xs' }, 400],
    ['a precision of the other version', 'a b=1', VERSION_2, { path: '&precision=n' }, 400],
    ['two precisions', 'a b=1', VERSION_1, { path: '&precision=s&precision=ms' }, 400],
    ['an unknown encoding', 'a b=1', VERSION_2, { encoding: 'lz4' }, 415],
    ['bytes that are no gzip', 'a b=1', VERSION_2, { encoding: 'gzip' }, 400],
    [
      'more than 16 MiB of zeros in gzip',
      gzipSync(Buffer.alloc(17 * 1_048_576)),
      VERSION_2,
      { encoding: 'gzip' },
      413,
    ],
    ['nothing', '', VERSION_2, {}, 204],
    ['a comment', '# nothing\n', VERSION_2, {}, 204],
  ])(
    'of %s',
    async (_, body, path, {
      path: more = '',
      encoding = 'identity',
    }: { path?: string; encoding?: string }, status) => {
      const answer = await send(body, { 'Content-Encoding': encoding }, path + more);
      expect(answer.status).toBe(status);
      expect(gateway.stored).toEqual([]);
    },
  );

  it.each([
    ['a wrong key', 'Token nothing', 401, 'unauthorized'],
    ['no key', '', 401, 'unauthorized'],
    ['a key without the scope', 'Token a-reading-key', 403, 'forbidden'],
  ])('with %s is refused', async (_, authorization, status, code) => {
    const answer = await send('system,host=a load1=1', { Authorization: authorization });
    expect([answer.status, answer.body?.['code']]).toEqual([status, code]);
  });

  it('with a key in the address alone is refused', async () => {
    const answer = await send(
      'system,host=a load1=1',
      { Authorization: '' },
      `${VERSION_1}&u=any&p=${TEST_KEY}`,
    );
    expect([answer.status, gateway.stored]).toEqual([401, []]);
  });
});

describe('what senders of lines ask beside', () => {
  const query = (headers: Record<string, string>, body: string | null, parameters = '') =>
    fetch(`${gateway.url}/query${parameters}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });
  const KEY = { Authorization: `Basic ${Buffer.from(`any:${TEST_KEY}`).toString('base64')}` };

  it.each(['GET', 'HEAD'])('%s /ping is answered with a version', async (method) => {
    const response = await fetch(`${gateway.url}/ping`, { method });
    expect([response.status, response.headers.get('x-influxdb-version')]).toEqual([204, INFLUX_VERSION]);
  });

  it('/health is answered as by version 2', async () => {
    const response = await fetch(`${gateway.url}/health`);
    expect(await response.json()).toMatchObject({ name: 'influxdb', status: 'pass' });
  });

  it.each([
    ['in a form', 'q=CREATE+DATABASE+%22telegraf%22', ''],
    ['in the address', null, '?q=CREATE%20DATABASE%20telegraf'],
  ])('CREATE DATABASE %s is answered as done', async (_, form, parameters) => {
    const response = await query(KEY, form, parameters);
    expect([response.status, await response.json()]).toEqual([200, { results: [{ statement_id: 0 }] }]);
  });

  it('SHOW DATABASES names one', async () => {
    const response = await query(KEY, 'q=SHOW DATABASES');
    expect(await response.json()).toMatchObject({
      results: [{ series: [{ columns: ['name'], values: [['tidewatch']] }] }],
    });
  });

  it.each([
    ['another statement', 'q=DROP DATABASE x', 'q must be'],
    ['no statement', 'db=x', 'q must be'],
    ['two statements', 'q=SHOW DATABASES&q=SHOW DATABASES', 'q must be'],
    ['a statement of 2,000 characters', `q=${'x'.repeat(2_000)}`, 'at most 1024 characters'],
    ['a statement of a mebibyte', `q=${'x'.repeat(1_048_576)}`, 'at most 16384 bytes'],
  ])('%s is answered 400 with an error that says what is allowed', async (_, form, error) => {
    const response = await query(KEY, form);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringContaining(error) },
    ]);
  });

  it('a statement without a key is answered 401', async () => {
    const response = await query({}, 'q=SHOW DATABASES');
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: expect.stringContaining('key') },
    ]);
  });
});
