import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { afterEach, expect, test, vi } from 'vitest';
import { createPayloadBuffer } from './buffer.ts';
import { gatheringAt } from './gathering.ts';
import { fixedKey, type KeySource, keyOfFile } from './key-source.ts';
import { createSender, type Sender } from './sender.ts';

interface Received {
  at: number;
  headers: IncomingHttpHeaders;
  hosts: string[];
}
type Reply = { status: number; headers?: Record<string, string>; body?: unknown };

const open: { server?: Server; sender?: Sender } = {};

afterEach(async () => {
  vi.useRealTimers();
  await open.sender?.close(0);
  open.server?.closeAllConnections();
  await new Promise((resolve) => (open.server ? open.server.close(resolve) : resolve(undefined)));
  delete open.server;
});

const accepted: Reply = { status: 200, body: { status: 'ok', events_accepted: 1 } };

async function listen(port: number, reply: (request: Received, index: number) => Reply | Promise<Reply>) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const sent = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString();
      const hosts = [JSON.parse(text)].flat().map((payload: { host: string }) => payload.host);
      const entry = { at: performance.now(), headers: request.headers, hosts };
      received.push(entry);
      const answer = await reply(entry, received.length - 1);
      response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body ?? {}));
    });
  });
  open.server = server;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { received, port: (server.address() as AddressInfo).port };
}

const lines: string[] = [];

function send(
  port: number,
  bounds = { payloads: 1_000, bytes: 1_000_000 },
  keys: KeySource = fixedKey('tw_0_0'),
  timeoutMs = 2_000,
  gathering = gatheringAt(10_000),
): Sender {
  lines.length = 0;
  open.sender = createSender({
    url: `http://127.0.0.1:${port}/`,
    keys,
    logger: createLogger({ name: 'agent', destination: { write: (line) => void lines.push(line) } }),
    clock: Date.now,
    random: () => 0.1,
    buffer: createPayloadBuffer(bounds),
    gathering,
    timeoutMs,
  });
  return open.sender;
}

const body = (host: string, padding = '') => JSON.stringify({ host, metrics: {}, padding });

test('the sender sends payloads in order, in batches, and compresses large ones', async () => {
  const { received, port } = await listen(0, () => accepted);
  const sender = send(port);
  for (let index = 0; index < 30; index += 1) sender.enqueue(body(`h${index}`, 'x'.repeat(100)));
  expect(await sender.flush(5_000)).toBe(0);
  expect(received.flatMap((request) => request.hosts)).toEqual(
    Array.from({ length: 30 }, (_, index) => `h${index}`),
  );
  expect(received).toHaveLength(2);
  expect(received[0]?.headers['content-encoding']).toBeUndefined();
  expect(received[1]?.headers).toMatchObject({
    'content-encoding': 'gzip',
    'x-api-key': 'tw_0_0',
    prefer: 'handling=lenient',
  });
  expect(sender.counts).toEqual({ accepted: 30, dropped: 0, refused: 0 });
});

test('the sender waits after 429 for the time in Retry-After', async () => {
  const { received, port } = await listen(0, (_, index) =>
    index === 0 ? { status: 429, headers: { 'Retry-After': '1' } } : accepted,
  );
  const sender = send(port);
  sender.enqueue(body('a'));
  await expect.poll(() => sender.counts.accepted).toBe(1);
  expect((received[1] as Received).at - (received[0] as Received).at).toBeGreaterThanOrEqual(990);
});

test('the sender retries after 503 and loses or reorders no payload', async () => {
  const { received, port } = await listen(0, (_, index) => (index < 2 ? { status: 503 } : accepted));
  const sender = send(port);
  for (const host of ['a', 'b', 'c']) sender.enqueue(body(host));
  await expect.poll(() => sender.counts.accepted).toBe(3);
  expect(received.slice(2).flatMap((request) => request.hosts)).toEqual(['a', 'b', 'c']);
});

test('the sender keeps payloads until the service starts', async () => {
  const first = await listen(0, () => accepted);
  await new Promise((resolve) => open.server?.close(resolve));
  const sender = send(first.port);
  sender.enqueue(body('early'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sender.counts.accepted).toBe(0);
  const { received } = await listen(first.port, () => accepted);
  await expect.poll(() => sender.counts.accepted).toBe(1);
  expect(received[0]?.hosts).toEqual(['early']);
});

test('the sender drops only the oldest payloads when the buffer overflows during a request', async () => {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { received, port } = await listen(0, async (_, index) => {
    if (index === 0) await held;
    return accepted;
  });
  const sender = send(port, { payloads: 3, bytes: 1_000_000 });
  for (const host of ['a', 'b', 'c', 'd', 'e']) sender.enqueue(body(host));
  expect(sender.counts.dropped).toBe(2);
  release?.();
  expect(await sender.flush(5_000)).toBe(0);
  const arrived = received.flatMap((request) => request.hosts);
  expect(arrived).toEqual(['a', 'c', 'd', 'e']);
});

test('the sender drops only the invalid payload of a batch and logs the invalid field', async () => {
  const errors = [{ in: 'body', path: '/metrics/cpu', code: 'invalid', message: 'Not a number.' }];
  const { received, port } = await listen(0, (request) =>
    request.hosts.includes('bad') ? { status: 422, body: { code: 'validation_failed', errors } } : accepted,
  );
  const sender = send(port);
  const hosts = Array.from({ length: 40 }, (_, index) => (index === 17 ? 'bad' : `h${index}`));
  for (const host of hosts) sender.enqueue(body(host));
  expect(await sender.flush(5_000)).toBe(0);
  const taken = received.filter((request) => !request.hosts.includes('bad'));
  expect(taken.flatMap((request) => request.hosts)).toEqual(hosts.filter((host) => host !== 'bad'));
  expect(sender.counts).toMatchObject({ accepted: 39, refused: 1 });
  expect(lines.join()).toContain('/metrics/cpu: Not a number.');
});

test('the sender keeps payloads while the key is revoked and sends them with a new key from the key file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-key-'));
  const file = join(folder, 'key');
  writeFileSync(file, 'old');
  const { received, port } = await listen(0, ({ headers }) =>
    headers['x-api-key'] === 'new' ? accepted : { status: 401, body: { code: 'key_revoked' } },
  );
  const sender = send(port, undefined, keyOfFile(file, 'old'));
  sender.enqueue(body('a'));
  sender.enqueue(body('b'));
  await sender.keyRefused;
  await expect.poll(() => received.length).toBeGreaterThan(3);
  expect(sender.counts).toEqual({ accepted: 0, dropped: 0, refused: 0 });
  writeFileSync(file, 'new');
  await expect.poll(() => sender.counts.accepted).toBe(2);
  expect(received.filter(({ headers }) => headers['x-api-key'] === 'new').flatMap((r) => r.hosts)).toEqual([
    'a',
    'b',
  ]);
  expect(lines.filter((line) => line.includes('refuses the key'))).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test.each<[string, Reply]>([
  ['a revoked key', { status: 401, body: { code: 'key_revoked' } }],
  ['the 404 of a proxy', { status: 404 }],
  ['the login page of a proxy', { status: 200, body: { login: true } }],
])('the sender drops nothing after %s', async (_, reply) => {
  let refusals = 2;
  const { port } = await listen(0, () => (refusals-- > 0 ? reply : accepted));
  const sender = send(port);
  sender.enqueue(body('a'));
  sender.enqueue(body('b'));
  await expect.poll(() => sender.counts).toEqual({ accepted: 2, dropped: 0, refused: 0 });
});

test('the sender halves batches after 413 until they are accepted', async () => {
  const { received, port } = await listen(0, (request) =>
    request.hosts.length > 2 ? { status: 413 } : accepted,
  );
  const sender = send(port);
  for (let index = 0; index < 9; index += 1) sender.enqueue(body(`h${index}`));
  await sender.flush(5_000);
  expect(sender.counts.accepted).toBe(9);
  const fitting = received.filter((request) => request.hosts.length <= 2);
  expect(fitting.flatMap((request) => request.hosts)).toEqual(
    Array.from({ length: 9 }, (_, index) => `h${index}`),
  );
});

test('the sender closes within the given time when the service does not answer', async () => {
  const { received, port } = await listen(0, () => new Promise<Reply>(() => {}));
  // A timeout longer than this test, so that only the time given to `close` can end the request.
  const sender = send(port, undefined, undefined, 3_600_000);
  sender.enqueue(body('a'));
  await expect.poll(() => received.length).toBe(1);
  await sender.close(300);
  expect(sender.counts.accepted).toBe(0);
});

/** A sender that gathers two payloads, with fake timers, which `expect.poll` advances. */
async function sendGathered(port: number): Promise<Sender> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const sender = send(port, undefined, undefined, undefined, gatheringAt(1_000));
  sender.enqueue(body('first'));
  await expect.poll(() => sender.counts.accepted).toBe(1);
  return sender;
}

const together = (received: readonly Received[]) => received.map(({ hosts }) => hosts);

test('the sender sends the first payload at once and the next ones two by two, and says that none waits meanwhile', async () => {
  const { received, port } = await listen(0, () => accepted);
  const sender = await sendGathered(port);
  for (const hosts of ['ab', 'cd']) {
    sender.enqueue(body(hosts.charAt(0)));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sender.buffered()).toEqual({ payloads: 0, bytes: 0 });
    sender.enqueue(body(hosts.charAt(1)));
    await expect.poll(() => sender.counts.accepted).toBe(hosts === 'ab' ? 3 : 5);
  }
  expect(together(received)).toEqual([['first'], ['a', 'b'], ['c', 'd']]);
  expect(sender.counts).toEqual({ accepted: 5, dropped: 0, refused: 0 });
});

test('the sender sends a gathered payload alone after 1.5 s if no other comes', async () => {
  const { received, port } = await listen(0, () => accepted);
  const sender = await sendGathered(port);
  sender.enqueue(body('a'));
  await vi.advanceTimersByTimeAsync(1_499);
  expect(received).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(() => sender.counts.accepted).toBe(2);
  expect(together(received)).toEqual([['first'], ['a']]);
});

test('the sender sends a gathered payload at once when it is flushed', async () => {
  const { received, port } = await listen(0, () => accepted);
  const sender = await sendGathered(port);
  sender.enqueue(body('a'));
  expect(await sender.flush(5_000)).toBe(0);
  expect(together(received)).toEqual([['first'], ['a']]);
});

test('the sender sends everything at once after a refused request, and gathers again afterwards', async () => {
  const held = Promise.withResolvers<void>();
  const { received, port } = await listen(0, async (_, index) => {
    if (index !== 1) return accepted;
    await held.promise;
    return { status: 503 };
  });
  const sender = await sendGathered(port);
  sender.enqueue(body('a'));
  sender.enqueue(body('b'));
  await expect.poll(() => received.length).toBe(2);
  sender.enqueue(body('c'));
  expect(sender.buffered().payloads).toBe(3);
  held.resolve();
  await expect.poll(() => sender.counts.accepted).toBe(4);
  sender.enqueue(body('d'));
  expect(sender.buffered()).toEqual({ payloads: 0, bytes: 0 });
  sender.enqueue(body('e'));
  await expect.poll(() => sender.counts.accepted).toBe(6);
  expect(together(received)).toEqual([['first'], ['a', 'b'], ['a', 'b', 'c'], ['d', 'e']]);
});

test('the sender sends a payload at once that comes during a request', async () => {
  const held = Promise.withResolvers<void>();
  const { received, port } = await listen(0, async (_, index) => {
    if (index === 1) await held.promise;
    return accepted;
  });
  const sender = await sendGathered(port);
  sender.enqueue(body('a'));
  sender.enqueue(body('b'));
  await expect.poll(() => received.length).toBe(2);
  sender.enqueue(body('c'));
  held.resolve();
  await expect.poll(() => sender.counts.accepted).toBe(4);
  expect(together(received)).toEqual([['first'], ['a', 'b'], ['c']]);
});
