import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSilentLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createApp } from './app.ts';
import { type HttpServer, listen } from './http-server.ts';

const MOST = 4;
const ANSWER_BYTES = 64 * 1024 * 1024;
const metrics = createMetrics();
let server: HttpServer;
/** The number of bytes of the large response that the socket accepted. */
let written = 0;
let aborted = 0;
let cut = 0;

beforeAll(async () => {
  const router = express.Router();
  router.get('/quick', (_request, response) => {
    response.json({ quick: true });
  });
  router.post('/things', async (request, response) => {
    const body = await text(request).catch(() => {
      aborted += 1;
      return null;
    });
    if (body !== null) response.json({ received: body.length });
  });
  router.get('/large', (_request, response) => {
    response.once('close', () => {
      cut += 1;
    });
    const piece = Buffer.alloc(64 * 1024, 'a');
    const write = () => {
      while (written < ANSWER_BYTES) {
        written += piece.length;
        if (!response.write(piece)) {
          response.once('drain', write);
          return;
        }
      }
      response.end();
    };
    write();
  });
  server = await listen({
    app: createApp({ routers: [router], endpoints: [], logger: createSilentLogger(), metrics }),
    host: '127.0.0.1',
    port: 0,
    bounds: {
      headersTimeout: 300,
      requestTimeout: 600,
      connectionsCheckingInterval: 50,
      idle: 2_500,
      maxConnections: MOST,
    },
  });
});

afterAll(async () => {
  await server.close(100);
  metrics.close();
});

/** Sends `parts` one after the other with pauses until the server closes; returns what it received. */
async function trickle(parts: Iterable<string>): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let said = '';
  socket.on('data', (data) => {
    said += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  const pieces = parts[Symbol.iterator]();
  const timer = setInterval(() => {
    const { value, done } = pieces.next();
    if (done !== true && socket.writable) socket.write(value);
  }, 20);
  await once(socket, 'close');
  clearInterval(timer);
  return said;
}

function* forever(first: string, piece: string): Iterable<string> {
  yield first;
  for (;;) yield piece;
}

it.each([
  ['of headers', () => forever('GET /quick HTTP/1.1\r\nHost: a\r\n', 'X-A: a\r\n')],
  ['of one header', () => forever('GET /quick HTTP/1.1\r\nHost: a\r\nX-A: ', 'a')],
  ['of a body', () => forever('POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n', 'a')],
  [
    'of a chunked body',
    () => forever('POST /things HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n'),
  ],
])('a slow sender %s gets 408 and its connection is closed', async (_, parts) => {
  const said = await trickle(parts());
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(said).toContain('"code":"request_timeout"');
});

it('a connection on which nothing is sent is closed', async () => {
  expect(await trickle([])).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

it('a handler that waits for the body of a slow sender is released', () => {
  expect(aborted).toBeGreaterThan(0);
});

it('the connection of a client that does not read is cut, and its response is not produced meanwhile', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => written).toBeGreaterThan(0);
  expect((await fetch(`${server.url}/quick`)).status).toBe(200);
  // The server closes the idle connection, and the rest of the response is not produced.
  await expect.poll(() => cut).toBe(1);
  expect(written).toBeLessThan(ANSWER_BYTES);
  socket.destroy();
});

it('a connection is kept open while it is used, announces its keep-alive timeout, and is closed when idle', async () => {
  const socket = connect(server.port, '127.0.0.1');
  let said = '';
  socket.on('data', (data) => {
    said += data.toString('latin1');
  });
  for (let asked = 1; asked <= 8; asked += 1) {
    socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => said.split('HTTP/1.1 200 ').length - 1).toBe(asked);
    await sleep(150);
  }
  expect(said).toContain('Keep-Alive: timeout=75');
  await once(socket, 'close');
});

it('connections beyond the limit are dropped, and accepted again once others end', async () => {
  const open = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => resolve(socket));
      socket.on('error', () => undefined);
    });
  const held = await Promise.all(Array.from({ length: MOST }, open));
  const late = await open();
  await once(late, 'close');
  for (const socket of held) socket.destroy();
  const quick = () =>
    fetch(`${server.url}/quick`).then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(quick).toBe(200);
});
