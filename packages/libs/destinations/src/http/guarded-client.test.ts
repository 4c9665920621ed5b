import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAddressGuard } from '../guard/address-guard.ts';
import type { Resolve } from '../guard/guarded-lookup.ts';
import { type Answer, type HttpReceiver, startHttpReceiver, status } from '../testing/http-receiver.ts';
import { createGuardedClient, MAX_ANSWER_BYTES } from './guarded-client.ts';

const LOOPBACK = createAddressGuard(['127.0.0.0/8']);
let receiver: HttpReceiver;

async function posted(answer: Answer, { timeoutMs = 5_000, headers = {} } = {}) {
  receiver = await startHttpReceiver(answer);
  const http = createGuardedClient({ guard: LOOPBACK, timeoutMs }).attempt();
  return http.post(receiver.url('/hook?a=1'), headers, '{"a":1}');
}

afterEach(async () => {
  vi.unstubAllEnvs();
  await receiver?.close();
});

it('the guarded client posts the body and reads the answer', async () => {
  const exchange = await posted(status(201, { 'x-answer': 'yes' }, 'done'), { headers: { 'x-own': '1' } });
  expect(exchange).toMatchObject({ answered: true, status: 201, text: 'done', whole: true });
  expect(exchange.answered && exchange.header('x-answer')).toBe('yes');
  expect(receiver.got).toMatchObject([{ method: 'POST', path: '/hook?a=1', body: '{"a":1}' }]);
  expect(receiver.got[0]?.headers).toMatchObject({ 'x-own': '1', 'content-length': '7' });
});

it('the guarded client follows no redirect', async () => {
  const elsewhere = await startHttpReceiver(status(200));
  const exchange = await posted(status(307, { location: elsewhere.url('/') }));
  expect(exchange).toMatchObject({ answered: true, status: 307 });
  expect(elsewhere.got).toEqual([]);
  await elsewhere.close();
});

it('the guarded client uses no proxy that the environment names', async () => {
  const proxy = await startHttpReceiver(status(200));
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
    vi.stubEnv(name, proxy.url());
  expect(await posted(status(204))).toMatchObject({ status: 204 });
  expect(proxy.got).toEqual([]);
  await proxy.close();
});

describe('endless answers', () => {
  it('the guarded client reads 64 KiB of an endless answer and then closes the connection', async () => {
    const gigabyte: Answer = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536, 'x');
      let left = 2 ** 30 / chunk.length;
      const pour = () => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(chunk)) return void response.once('drain', pour);
        }
        response.end();
      };
      pour();
    };
    const exchange = await posted(gigabyte);
    expect(exchange).toMatchObject({ answered: true, status: 200, whole: false });
    expect(exchange.answered && exchange.text.length).toBe(MAX_ANSWER_BYTES);
    await receiver.close();
    expect(receiver.bytesSent()).toBeLessThan(64 * 2 ** 20);
  });

  it('the guarded client stops reading a slow answer at its timeout and keeps the status', async () => {
    const timers: NodeJS.Timeout[] = [];
    const exchange = await posted(
      (response) => {
        response.writeHead(200);
        timers.push(setInterval(() => response.write('x'), 20));
      },
      { timeoutMs: 2_000 },
    );
    for (const timer of timers) clearInterval(timer);
    expect(exchange).toMatchObject({ answered: true, status: 200, whole: false });
  });
});

it.each<[string, Answer]>([
  ['sends nothing', () => {}],
  [
    'sends its headers byte by byte',
    ({ socket }) => {
      const timer = setInterval(() => socket?.write('H'), 20);
      socket?.on('close', () => clearInterval(timer));
    },
  ],
])('a request to a destination that %s ends with a retryable timeout', async (_name, answer) => {
  const exchange = await posted(answer, { timeoutMs: 300 });
  expect(exchange.answered).toBe(false);
  expect(exchange).toMatchObject({ retryable: true });
});

it('the requests of one attempt share its timeout', async () => {
  receiver = await startHttpReceiver(() => {});
  const http = createGuardedClient({ guard: LOOPBACK, timeoutMs: 200 }).attempt();
  await http.post(receiver.url(), {}, '');
  const second = await http.post(receiver.url(), {}, '');
  expect(second).toEqual({ answered: false, retryable: true, error: 'no answer within 0.2 seconds' });
  expect(receiver.got).toHaveLength(1);
});

it('a closed connection, a closed port and an answer that is not HTTP are retryable failures', async () => {
  expect(await posted(({ socket }) => socket?.destroy())).toMatchObject({ answered: false, retryable: true });
  await receiver.close();
  const http = createGuardedClient({ guard: LOOPBACK }).attempt();
  expect(await http.post(receiver.url(), {}, '')).toMatchObject({
    error: 'the connection failed (ECONNREFUSED)',
  });
  expect(await posted(({ socket }) => socket?.end('hello\r\n\r\n'))).toMatchObject({
    answered: false,
    retryable: true,
  });
});

it('the guarded client sends no request with a line break in a header', async () => {
  const exchange = await posted(status(200), { headers: { 'x-own': 'a\r\nx-evil: 1' } });
  expect(exchange).toMatchObject({ answered: false, retryable: false });
  expect(receiver.got).toEqual([]);
});

describe('addresses of the guarded client', () => {
  const strict = createAddressGuard(false);

  it.each([
    ...[
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
    ],
    ...[
      '0.0.0.0',
      '169.254.169.254',
      '10.0.0.1',
      '192.168.0.1',
      '172.16.0.1',
      '100.64.0.1',
      '[fd00::1]',
      '[fe80::1]',
    ],
    ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '127.0.0.1.', 'ⓛocalhost', '１２７.0.0.1'],
  ])('the guarded client does not connect to %s', async (host) => {
    receiver = await startHttpReceiver(status(200));
    const http = createGuardedClient({ guard: strict, timeoutMs: 5_000 }).attempt();
    const exchange = await http.post(`http://${host}:${receiver.port}/`, {}, '');
    // A name with private addresses gets the same retryable error as an unknown name; the spelling with ⓛ is the same name.
    const retryable = host.endsWith('ocalhost');
    expect(exchange).toMatchObject({ answered: false, retryable });
    expect(receiver.got).toEqual([]);
  });

  it('the guarded client resolves a name once and connects to the address that was checked', async () => {
    receiver = await startHttpReceiver(status(200));
    const asked: string[] = [];
    // A resolver that returns an allowed address first and the receiver's address at a second lookup.
    const rebinding: Resolve = (host, _options, callback) => {
      asked.push(host);
      callback(null, [{ address: asked.length === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
    };
    const guard = createAddressGuard(['127.0.0.2/32']);
    const http = createGuardedClient({ guard, resolve: rebinding, timeoutMs: 5_000 }).attempt();
    const exchange = await http.post(`http://rebinding.example:${receiver.port}/`, {}, '');
    expect(exchange).toMatchObject({ answered: false, retryable: true });
    expect(asked).toEqual(['rebinding.example']);
    expect(receiver.got).toEqual([]);
  });

  it('the guarded client connects only to those addresses of a name that the guard allows', async () => {
    receiver = await startHttpReceiver(status(200));
    const both: Resolve = (_host, _options, callback) => {
      const found = [
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ];
      callback(null, found);
    };
    const http = createGuardedClient({ guard: LOOPBACK, resolve: both, timeoutMs: 5_000 }).attempt();
    const exchange = await http.post(`http://both.example:${receiver.port}/`, {}, '');
    expect(exchange).toMatchObject({ status: 200 });
    expect(receiver.got[0]?.headers.host).toBe(`both.example:${receiver.port}`);
  });

  it('a name with private addresses fails like an unknown name, and only the operator receives the reason', async () => {
    const to =
      (address: string | null): Resolve =>
      (_host, _options, callback) =>
        address === null
          ? callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
          : callback(null, [{ address, family: 4 }]);
    const reasons: string[] = [];
    const onUnusableName = ({ reason }: { reason: string }) => void reasons.push(reason);
    const post = (resolve: Resolve) =>
      createGuardedClient({ guard: strict, resolve, onUnusableName })
        .attempt()
        .post('https://inner.example/', {}, '');
    const error = 'inner.example does not resolve to an address that may be called';
    for (const address of ['169.254.169.254', null])
      expect(await post(to(address))).toEqual({ answered: false, retryable: true, error });
    expect(reasons).toEqual(['no public address', 'ENOTFOUND']);
  });

  it.each(['ftp://example.com/', 'file:///etc/passwd', 'nonsense'])(
    'the guarded client does not post to %s',
    async (url) => {
      const http = createGuardedClient({ guard: strict }).attempt();
      expect(await http.post(url, {}, '')).toMatchObject({ answered: false, retryable: false });
    },
  );
});
