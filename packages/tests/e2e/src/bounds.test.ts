import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { ACCEPTED_FIELDS, REFUSED_FIELDS } from '@tidewatch/contracts/ingest/payload-bounds.fixture';
import { describe, expect, test } from 'vitest';
import { type Answer, createClient, seconds, serviceOf, uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

const { target, client } = await openScenario();

const host = uniqueName('e2e-bounds');
const named = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value]));
const list = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

function problem(answer: Answer, status: number): Answer['body'] {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.headers.get('x-request-id')).toBeTruthy();
  expect(answer.body).toMatchObject({
    status,
    title: expect.any(String),
    code: expect.any(String),
    request_id: expect.any(String),
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|at .*\.ts|postgres|select /i);
  return answer.body;
}

function paths(answer: Answer): string[] {
  return problem(answer, 422).errors.map((error: { path: string }) => error.path);
}

describe('payloads at their bounds are accepted', () => {
  test.each<[string, Record<string, unknown>]>([
    ...ACCEPTED_FIELDS,
    ['23 hours ahead', { timestamp: seconds(82_800) }],
  ])('%s', async (_, part) => {
    // The parts of a host are limited over all of its payloads.
    const own = 'parts' in part ? { host: uniqueName('bounds') } : { host };
    const answer = await client.ingest({ ...own, metrics: { a: 1 }, ...part });
    expect(answer.body).toEqual({ status: 'ok', events_accepted: 1 });
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', ''])(
    'the text %j is accepted as a name of a metric, a tag and a host',
    async (name) => {
      const wanted = name === '' ? 422 : 200;
      const named = (value: string) => `{${JSON.stringify(name)}:${value}}`;
      const metric = `{"host":"${host}-names","metrics":${named('7')}}`;
      const tag = `{"host":"${host}-names","metrics":{},"tags":${named('"v"')}}`;
      const asHost = `{"host":${JSON.stringify(name)},"metrics":{"a":1}}`;
      for (const body of [metric, tag, asHost]) expect((await client.ingest(body)).status).toBe(wanted);
      if (wanted === 422) return;
      const { id } = await serviceOf(client, `${host}-names`);
      const read = async () =>
        Object.getOwnPropertyDescriptor((await client.expect(200, 'GET', `/services/${id}`)).metrics, name)
          ?.value;
      await expect.poll(read).toBe(7);
    },
  );
});

/** The JSON of a payload, in which an infinite number is one beyond a double. */
function onTheWire(payload: object): string {
  return JSON.stringify(payload, (_, value) => (value === Infinity ? '1e400' : value)).replaceAll(
    '"1e400"',
    '1e400',
  );
}

describe('a payload beyond a bound is refused with the path of its fault', () => {
  test.each<[string, string | object, string]>([
    ...REFUSED_FIELDS.map(([name, fields, fault]): [string, string, string] => [
      name,
      onTheWire({ host, metrics: {}, ...fields }),
      fault.replace(/ \w+$/, ''),
    ]),
    ['no host', { metrics: {} }, '/host'],
    ['no metrics', { host }, '/metrics'],
    ['the year 9999', { host, metrics: {}, timestamp: '9999-12-31T23:59:59Z' }, '/timestamp'],
    ['25 hours ahead', { host, metrics: {}, timestamp: seconds(90_000) }, '/timestamp'],
  ])('%s', async (_, body, path) => {
    expect(paths(await client.ingest(body))).toContain(path);
  });

  test('the response names all faults at once, up to a hundred', async () => {
    const several = await client.ingest([
      { host: '', metrics: { a: 'x', b: null } },
      { host },
      { host, metrics: {}, timestamp: 'soon' },
    ]);
    expect(paths(several).toSorted()).toEqual([
      '/0/host',
      '/0/metrics/a',
      '/0/metrics/b',
      '/1/metrics',
      '/2/timestamp',
    ]);
    expect(paths(await client.ingest({ host, metrics: named(300, 'x') }))).toHaveLength(100);
  });

  test('a batch with a fault is refused as a whole; under lenient handling its other payloads are stored', async () => {
    const [good, bad] = [uniqueName('e2e-atomic'), uniqueName('e2e-atomic')];
    const batch = [
      { host: good, metrics: { a: 1 } },
      { host: bad, metrics: { a: 'x' } },
    ];
    expect(paths(await client.ingest(batch))).toEqual(['/1/metrics/a']);
    expect((await client.expect(200, 'GET', `/services?q=${good}`)).services).toEqual([]);
    const lenient = await client.ingest(batch, { prefer: 'handling=lenient' });
    expect(lenient.body).toMatchObject({
      status: 'ok',
      events_accepted: 1,
      events_rejected: 1,
      errors: [{ path: '/1/metrics/a' }],
    });
    await serviceOf(client, good);
    const none = await client.ingest([batch[1]], { prefer: 'handling=lenient' });
    expect(none.body).toMatchObject({ status: 'ok', events_accepted: 0, events_rejected: 1 });
  });

  test('a batch of 1,000 payloads is accepted, and one of none or more is refused', async () => {
    expect((await client.ingest(list(1_000, () => ({ host, metrics: {} })))).body.events_accepted).toBe(
      1_000,
    );
    problem(await client.ingest(list(1_001, () => ({ host, metrics: {} }))), 422);
    problem(await client.ingest([]), 422);
    const lines = `${JSON.stringify({ host, metrics: {} })}\n`;
    problem(await client.ingest(lines.repeat(1_001), { 'content-type': 'application/x-ndjson' }), 422);
    problem(await client.ingest('\n \n', { 'content-type': 'application/x-ndjson' }), 422);
    const third = `${lines}\n${lines}{"host":1}\n`;
    expect(paths(await client.ingest(third, { 'content-type': 'application/x-ndjson' })).toSorted()).toEqual([
      '/2/host',
      '/2/metrics',
    ]);
  });
});

describe('invalid bodies', () => {
  const deep = '['.repeat(200_000);
  test.each<[string, string | Uint8Array]>([
    ['empty', ''],
    ['not JSON', 'host=web-01'],
    ['cut off', '{"host":"a","metrics":{'],
    ['NaN', `{"host":"${host}","metrics":{"a":NaN}}`],
    ['a number', '7'],
    ['null', 'null'],
    ['text', '"x"'],
    ['a list of numbers', '[1,2]'],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['nested 200,000 deep', deep],
    ['a metric nested deep', `{"host":"${host}","metrics":{"a":${deep}`],
  ])('%s: 422', async (_, body) => {
    problem(await client.ingest(body), 422);
  });

  test.each(['gzip', 'br', 'zstd', 'deflate'])(
    'a %s body that cannot be decompressed is refused with 422',
    async (encoding) => {
      problem(
        await client.ingest(Buffer.from('this is not compressed at all'), { 'content-encoding': encoding }),
        422,
      );
    },
  );
  test('an unknown content encoding or type is refused with 415', async () => {
    problem(await client.ingest('{}', { 'content-encoding': 'snappy' }), 415);
    problem(await client.ingest('{}', { 'content-type': 'text/plain' }), 415);
  });
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
  ] as const)('%s inflates, within its bounds', async (encoding, compress) => {
    const small = JSON.stringify({ host, metrics: { a: 1 } });
    expect(
      (await client.ingest(compress(small), { 'content-encoding': encoding })).body.events_accepted,
    ).toBe(1);
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    problem(await client.ingest(bomb, { 'content-encoding': encoding }), 413);
  });
  test('a body of more than a mebibyte on the wire is refused with 413', async () => {
    problem(await client.ingest(' '.repeat(1_048_577)), 413);
  });
});

describe('invalid bodies do not affect other requests', () => {
  test('a valid request beside an invalid one is stored, and the service stays available', async () => {
    const good = uniqueName('e2e-neighbour');
    const million = brotliCompressSync(
      `{"host":"${host}","metrics":{${list(1_000_000, (index) => `"m${index}":1`).join(',')}}}`,
      { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } },
    );
    const hostile = client.ingest(million, { 'content-encoding': 'br' });
    let pending = true;
    void hostile.finally(() => {
      pending = false;
    });
    // The requests run one after the other: if the service were blocked, at most one would be answered before the invalid
    // body is.
    let servedMeanwhile = 0;
    const neighbours = (async () => {
      for (let index = 0; pending; index += 1) {
        expect((await client.ingest({ host: good, metrics: { a: index } })).status).toBe(200);
        if (pending) servedMeanwhile += 1;
      }
    })();
    const answers = await Promise.all([
      hostile,
      client.ingest('['.repeat(500_000)),
      client.ingest({ host: 'a\0', metrics: { a: 1 } }),
      client.ingest(gzipSync(Buffer.alloc(15 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' }),
    ]);
    await neighbours;
    expect(answers.map((answer) => answer.status)).toEqual([422, 422, 422, 422]);
    await serviceOf(client, good);
    expect(servedMeanwhile).toBeGreaterThan(5);
  });

  test('a request without a key or with a wrong key is refused with 401 before its body is read', async () => {
    for (const key of ['', 'nonsense', 'tw_00_00']) {
      const answer = await createClient({ url: target.url, key }).ask(
        'POST',
        '/ingest',
        '{"broken',
        key === '' ? { 'x-api-key': '' } : {},
      );
      expect(problem(answer, 401).code).toMatch(/^key_/);
    }
  });
});

describe('requests that read beyond a bound', () => {
  test.each([
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=-1', '/limit'],
    ['limit=ten', '/limit'],
    ['offset=-1', '/offset'],
    ['status=purple', '/status'],
    ['cursor=nonsense', '/cursor'],
  ])('%s', async (query, path) => {
    expect(paths(await client.ask('GET', `/services?${query}`))).toEqual([path]);
  });
  test('a malformed id and an id of another organization both get 404', async () => {
    for (const id of ['x', 'svc_0', 'svc_00000000000000000000000000000000', '%00'])
      problem(await client.ask('GET', `/services/${id}`), 404);
  });
  test('a method that an endpoint does not have gets 405 with Allow', async () => {
    const answer = await client.ask('PUT', '/ingest', {});
    problem(answer, 405);
    expect(answer.headers.get('allow')).toContain('POST');
  });
  test('the problem about too many points names the smallest possible step', async () => {
    await client.ingest({ host: `${host}-points`, metrics: { a: 1 } });
    const { id } = await serviceOf(client, `${host}-points`);
    const answer = await client.ask(
      'GET',
      `/services/${id}/metrics?step=1&from=${seconds(-86_400)}&to=${seconds(0)}`,
    );
    expect(problem(answer, 422).errors[0].path).toBe('/step');
  });
});

describe('rules beyond a bound', () => {
  const rule = { name: 'r', metric: 'cpu_percent', condition: 'greater_than', threshold: 1 };
  test.each<[string, object, string]>([
    ['no threshold', { ...rule, threshold: undefined }, '/threshold'],
    ['an unknown condition', { ...rule, condition: 'above' }, '/condition'],
    ['an unknown field', { ...rule, colour: 'red' }, '/colour'],
    ['a duration of 1,441 minutes', { ...rule, duration_minutes: 1_441 }, '/duration_minutes'],
    ['a duration that is negative', { ...rule, duration_minutes: -1 }, '/duration_minutes'],
    ['between without its other end', { ...rule, condition: 'between' }, '/threshold_max'],
    ['a recovery threshold on the wrong side', { ...rule, recovery_threshold: 5 }, '/recovery_threshold'],
    ['NUL in the name', { ...rule, name: 'a\0' }, '/name'],
  ])('%s', async (_, body, path) => {
    expect(paths(await client.ask('POST', '/alerts/rules', body))).toContain(path);
  });
});
