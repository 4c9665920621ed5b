import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { uniqueName } from './client.ts';
import { openScenario } from './scenario.ts';

/** The max wait for the end of a connection, ms. */
const WITHIN_MS = 15_000;
const NEXT = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

const { target, client } = await openScenario();

/** Sends bytes; returns the whole response, and whether the server closed the connection. */
function exchange(bytes: string): Promise<{ said: string; closed: boolean }> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')));
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ said, closed });
    };
    const timer = setTimeout(() => finish(false), WITHIN_MS);
    socket.on('data', (data) => {
      said += data.toString('latin1');
    });
    socket.on('close', () => finish(true));
    socket.on('error', () => undefined);
  });
}

const statuses = (said: string) =>
  [...said.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

/**
 * Heads of requests that servers may frame differently, so that the request after them might be read as a body or as a
 * request.
 */
const FRAMINGS: [name: string, framing: string, rest: string][] = [
  ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4', '0\r\n\r\n'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{}'],
  ['the same length twice', 'Content-Length: 2\r\nContent-Length: 2', '{}'],
  ['a list of lengths', 'Content-Length: 2, 2', '{}'],
  ['a length with a sign', 'Content-Length: +2', '{}'],
  ['a negative length', 'Content-Length: -1', ''],
  ['a length in hex', 'Content-Length: 0x2', '{}'],
  ['a length that is too large a number', 'Content-Length: 99999999999999999999', '{}'],
  ['a blank before the colon', 'Content-Length : 2', '{}'],
  ['a coding that is none', 'Transfer-Encoding: xchunked', '2\r\n{}\r\n0\r\n\r\n'],
  ['chunks that are not the last coding', 'Transfer-Encoding: chunked, identity', '2\r\n{}\r\n0\r\n\r\n'],
  ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ['a folded header', 'Content-Length: 2\r\nX-Folded: a\r\n b', '{}'],
  ['a folded coding', 'Transfer-Encoding:\r\n chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ['a bare LF after a header', 'X-Bare: a\nContent-Length: 2', '{}'],
  ['a bare CR in a header', 'X-Bare: a\rb\r\nContent-Length: 2', '{}'],
  ['a NUL in a header', 'X-Nul: a\0b\r\nContent-Length: 2', '{}'],
  ['a name that is none', 'X(bad): a\r\nContent-Length: 2', '{}'],
  ['a chunk without a size', 'Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of a negative size', 'Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of a size beyond all numbers', 'Transfer-Encoding: chunked', `${'f'.repeat(20)}\r\n{}\r\n`],
  ['a chunk that is longer than it says', 'Transfer-Encoding: chunked', '1\r\n{}\r\n0\r\n\r\n'],
  ['chunks ended by bare LF', 'Transfer-Encoding: chunked', '2\n{}\n0\n\n'],
];

describe.each([
  ['the gateway', '/api/v1/ingest'],
  ['the query API', '/api/v1/alerts/rules'],
])('%s refuses and closes what could be read in two ways:', (_, path) => {
  const head = () =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${target.key}\r\nContent-Type: application/json`;

  it.concurrent.each(FRAMINGS)('%s', async (_name, framing, rest) => {
    const { said, closed } = await exchange(`${head()}\r\n${framing}\r\n\r\n${rest}${NEXT}`);
    expect({ closed, said }).toMatchObject({ closed: true });
    // The bytes that follow must never be answered as a separate request.
    expect(statuses(said)).toHaveLength(1);
    expect(statuses(said)[0]).toSatisfy((status: number) => status >= 400 && status < 500);
  });

  it.concurrent.each([
    ['a bare LF after the request line', () => `${head().replace('\r\n', '\n')}\r\n\r\n`],
    ['a version that is none', () => `${head().replace('HTTP/1.1', 'HTTP/9.9')}\r\n\r\n`],
    ['a target with a blank', () => `${head().replace(path, `${path} x`)}\r\n\r\n`],
    ['a target that is none', () => `${head().replace(path, `\\${path}`)}\r\n\r\n`],
    ['a method that is none', () => `${head().replace('POST', 'P@ST')}\r\n\r\n`],
    ['another protocol', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['too many bytes of headers', () => `${head()}\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('%s', async (_name, bytes) => {
    const { said, closed } = await exchange(`${bytes()}${NEXT}`);
    expect({ closed, said }).toMatchObject({ closed: true });
    expect(statuses(said)).toHaveLength(1);
    expect(statuses(said)[0]).toSatisfy((status: number) => status >= 400 && status < 500);
  });
});

describe('requests that could be taken for something else', () => {
  it('headers beyond the hundredth are not looked at, so that none of them is a key', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `X-${index}: a`).join('\r\n');
    const { said } = await exchange(
      `GET /api/v1/services HTTP/1.1\r\nHost: a\r\n${many}\r\nX-API-Key: ${target.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(statuses(said)).toEqual([expect.toSatisfy((status: number) => status === 401 || status === 431)]);
  });

  it.each([
    '/services/..%2f..%2fetc%2fpasswd',
    '/services/%2e%2e%2fservices',
    '/services/svc_%00',
    '/alerts/rules/..%5c..%5cwindows',
    '/channels/%252e%252e%252f',
    '/alerts/%F0%9F%98%80',
    `/silences/${'a'.repeat(4_000)}`,
    '/services/%0d%0aSet-Cookie:%20a=b',
    '/alerts/rules/x%0d%0aLocation:%20http:%2f%2fexample.com',
  ])('an id is 404, and no header comes of it: %s', async (path) => {
    const { status, headers } = await client.ask('GET', path);
    expect([status, headers.get('set-cookie'), headers.get('location')]).toEqual([404, null, null]);
  });

  it.each([
    '/services?limit=1&limit=2',
    '/services?status=healthy&status=offline',
    '/alerts?limit[]=1',
    '/alerts?__proto__[limit]=1',
    '/alerts/rules?limit=1;offset=2',
    '/channels?limit=1%00',
  ])('a query is 422 or means nothing: %s', async (path) => {
    const { status, body } = await client.ask('GET', path);
    if (status === 200) expect(body.pagination.limit).toBe(50);
    else expect([status, body.code]).toEqual([422, 'validation_failed']);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'a member named %s is treated like any other member',
    async (name) => {
      const host = uniqueName('odd');
      const metrics = `{"${name}":1,"cpu_percent":2}`;
      const payload = `{"host":"${host}","metrics":${metrics},"tags":{"${name}":"x"},"${name}":{"admin":true}}`;
      expect((await client.ingest(payload)).status).toBe(200);
      const rule = `{"name":"${host}","metric":"m","condition":"greater_than","threshold":1,"${name}":{"severity":"critical"}}`;
      const refused = await client.ask('POST', '/alerts/rules', rule);
      expect([refused.status, refused.body.errors.length]).toEqual([422, 1]);
      const patched = await client.ask('POST', '/silences', `{"matchers":{"${name}":{}},"${name}":1}`);
      expect(patched.status).toBe(422);
      const find = async () => (await client.expect(200, 'GET', `/services?q=${host}`)).services;
      await expect.poll(find).toHaveLength(1);
      const [{ id }] = await find();
      const service = await client.expect(200, 'GET', `/services/${id}`);
      expect(JSON.stringify(service)).toContain(`"${name}"`);
      expect(({} as Record<string, unknown>).admin).toBeUndefined();
    },
  );
});
