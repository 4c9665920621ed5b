import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createBoundedFetch, MAX_RESPONSE_BYTES } from './bounded-fetch.ts';

let server: Server;
let url: string;
let answer: RequestListener;
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  requests = 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

const call = (timeoutMs?: number, signal?: AbortSignal) =>
  createBoundedFetch(timeoutMs)(url, {
    method: 'GET',
    headers: {},
    body: null,
    redirect: 'manual',
    ...(signal && { signal }),
  });

it('answers status, headers and body', async () => {
  answer = (_, response) => response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"a":1}');
  const response = await call();
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
  expect(await response.json()).toEqual({ a: 1 });
});

it('takes a body of the max size, and not one of a byte more', async () => {
  answer = (_, response) => response.end('x'.repeat(MAX_RESPONSE_BYTES));
  expect((await (await call()).text()).length).toBe(MAX_RESPONSE_BYTES);
  answer = (_, response) => response.end('x'.repeat(MAX_RESPONSE_BYTES + 1));
  await expect(call()).rejects.toThrow(`its response has more than ${MAX_RESPONSE_BYTES} bytes`);
});

it.each([301, 302, 303, 307, 308])('follows no redirect %i', async (status) => {
  answer = (_, response) => response.writeHead(status, { Location: url }).end();
  await expect(call()).rejects.toThrow(`it answered ${status}, and redirects are not followed`);
  expect(requests).toBe(1);
});

it.each<[string, RequestListener]>([
  ['does not answer', () => undefined],
  ['does not end its answer', (_, response) => void response.writeHead(200).write('x')],
])('ends a call where the server %s', async (_, listener) => {
  answer = listener;
  await expect(call(50)).rejects.toThrow('timeout: no complete response within 50 ms');
});

it('names a connection that failed', async () => {
  answer = (request) => request.destroy();
  await expect(call()).rejects.toThrow(/^the connection failed \(\w+\)$/);
});

it('has at most fifty calls under way', async () => {
  answer = () => undefined;
  const bounded = createBoundedFetch();
  const stop = new AbortController();
  const send = () =>
    bounded(url, { method: 'GET', headers: {}, body: null, redirect: 'manual', signal: stop.signal });
  const waiting = Array.from({ length: 50 }, send);
  await expect(send()).rejects.toThrow('too many requests to it are under way');
  stop.abort();
  expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true);
  answer = (_, response) => response.end('done');
  expect(await (await call()).text()).toBe('done');
});
