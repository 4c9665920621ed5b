import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers';
import { gzipSync } from 'node:zlib';
import { type HttpReceiver, startHttpReceiver } from '@tidewatch/destinations/testing/http-receiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPageSource } from './page-source.ts';

const PAGE = '# HELP x y\ntidewatch_writer_lag_seconds 0.5\n';
const MEBIBYTE = Buffer.alloc(1024 * 1024, 'x');

function forever(response: ServerResponse, chunk: Buffer): void {
  const timer = setInterval(() => response.write(chunk), 1);
  response.on('close', () => clearInterval(timer));
}

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/metrics': (response) => response.end(PAGE),
  '/redirect': (response) => response.writeHead(302, { location: '/metrics' }).end(),
  '/login': (response) => response.end('<html>Who are you?</html>'),
  '/refused': (response) => response.writeHead(401).end(PAGE),
  '/silent': () => undefined,
  '/slow': (response) => forever(response, Buffer.from('#')),
  '/endless': (response) => forever(response, MEBIBYTE),
  '/compressed': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write(PAGE);
    response.destroy();
  },
};

let server: HttpReceiver;
beforeAll(async () => {
  server = await startHttpReceiver((response, { path }) => ANSWERS[path]?.(response));
});
afterAll(() => server?.close());

test.each(['', '/', '/metrics'])('reads the metrics page of an address with the path "%s"', async (path) => {
  const source = createPageSource(`http://127.0.0.1:${server.port}${path}`, 10_000);
  expect(await source.read()).toEqual([{ name: 'tidewatch_writer_lag_seconds', labels: '', value: 0.5 }]);
});

describe('a metrics page is rejected', () => {
  test.each<[string, string, number, string | RegExp]>([
    ['the address redirects', '/redirect', 60_000, 'status 302'],
    ['another program answers', '/login', 60_000, 'no metrics of Tidewatch'],
    ['the status is 401', '/refused', 60_000, 'status 401'],
    ['no answer arrives in time', '/silent', 100, 'timeout'],
    ['the body does not end in time', '/slow', 300, 'timeout'],
    ['the body has no end', '/endless', 60_000, 'larger than 4 MiB'],
    ['the body is compressed, which is never requested', '/compressed', 60_000, 'no metrics of Tidewatch'],
    ['the connection breaks', '/broken', 60_000, 'socket hang up'],
  ])('when %s', async (_, path, timeoutMs, reason) => {
    await expect(createPageSource(server.url(path), timeoutMs).read()).rejects.toThrow(reason);
  });

  test('when nothing listens at the address', async () => {
    await expect(createPageSource('http://127.0.0.1:1', 60_000).read()).rejects.toThrow();
  });
});
