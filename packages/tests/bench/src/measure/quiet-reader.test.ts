import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openQuietReader, type QuietReader } from './quiet-reader.ts';

let server: Server | undefined;
let reader: QuietReader | undefined;
afterEach(async () => {
  reader?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

/** A reader of a server that answers each path with the given text. */
async function readerOf(answer: (path: string, response: ServerResponse) => void): Promise<QuietReader> {
  server = createServer((request, response) => {
    expect(request.headers['x-api-key']).toBe('key');
    answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  reader = openQuietReader(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
  return reader;
}

function say(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(text) }).end(text);
}

test('answers of every length are read one after the other, over one connection', async () => {
  const sockets = new Set<unknown>();
  const { get } = await readerOf((path, response) => {
    sockets.add(response.socket);
    say(response, 'ä'.repeat(Number(path.slice(1))), path === '/3' ? 404 : 200);
  });
  for (const length of [0, 1, 3, 40_000, 2, 2_000_000, 5]) {
    const { status, ms, text } = await get(`/${length}`);
    expect([status, text() === 'ä'.repeat(length)]).toEqual([length === 3 ? 404 : 200, true]);
    expect(ms).toBeGreaterThan(0);
  }
  expect(sockets.size).toBe(1);
});

test('a response without a length or cut short is an error, and the next request uses a new connection', async () => {
  const { get } = await readerOf((path, response) => {
    if (path === '/chunked') {
      response.write('one');
      response.end('two');
    } else if (path === '/cut') {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      setTimeout(() => response.destroy(), 20);
    } else say(response, 'whole');
  });
  await expect(get('/chunked')).rejects.toThrow('has no Content-Length');
  await expect(get('/cut')).rejects.toThrow('the connection was closed');
  expect((await get('/whole')).text()).toBe('whole');
});

test('a refused connection is reported as such', async () => {
  const { get } = await readerOf((_, response) => say(response, 'never'));
  await new Promise((resolve) => server?.close(resolve));
  await expect(get('/')).rejects.toThrow('ECONNREFUSED');
});
