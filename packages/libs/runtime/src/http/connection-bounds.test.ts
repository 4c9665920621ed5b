import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSilentLogger } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { createApp } from './app.ts';
import { type ConnectionBounds, type HttpServer, listen } from './http-server.ts';

const MOST = 3;
const ANSWER_BYTES = 64 * 1024 * 1024;
/** The number of responses that ended before they were sent completely. */
let cut = 0;
const servers: { server: HttpServer; metrics: Metrics }[] = [];

/** A server with a limit of connections per address, and with a response that exceeds the kernel's buffers. */
async function serve(trustProxy?: number | string[], bounds: Partial<ConnectionBounds> = {}) {
  const metrics = createMetrics();
  const router = express.Router();
  router.get('/quick', (_request, response) => {
    response.json({ quick: true });
  });
  router.get('/large', (_request, response) => {
    response.once('close', () => {
      cut += Number(!response.writableFinished);
    });
    response.end(Buffer.alloc(ANSWER_BYTES, 'a'));
  });
  const server = await listen({
    app: createApp({ routers: [router], endpoints: [], logger: createSilentLogger(), metrics, trustProxy }),
    host: '127.0.0.1',
    port: 0,
    metrics,
    connectionsPerAddress: MOST,
    bounds,
  });
  servers.push({ server, metrics });
  return { server, metrics };
}

afterAll(async () => {
  for (const { server, metrics } of servers) {
    await server.close(100);
    metrics.close();
  }
});

function open({ port }: HttpServer): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => undefined);
  });
}

/** Sends a request and reads the response; empty if the connection is closed instead. */
async function ask(socket: Socket): Promise<string> {
  let said = '';
  socket.on('data', (data) => {
    said += data.toString('latin1');
  });
  socket.write('GET /quick HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  // Waits for the close, because a closed connection may emit an error first.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return said;
}

describe('connections of one address', () => {
  it('are closed and counted beyond the limit, and accepted again once others end', async () => {
    const { server, metrics } = await serve();
    const held = await Promise.all(Array.from({ length: MOST }, () => open(server)));
    expect(await ask(await open(server))).toBe('');
    expect(await metrics.text()).toMatch(/^tidewatch_http_connections_refused_total 1$/m);
    expect(await ask(held.pop() as Socket)).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(async () => ask(await open(server))).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of held) socket.destroy();
  });

  it.each<[string, number | string[]]>([
    ['a hop', 1],
    ['a network', ['127.0.0.0/8']],
  ])('are not counted where it is that of a proxy by %s', async (_, trustProxy) => {
    const { server } = await serve(trustProxy);
    const held = await Promise.all(Array.from({ length: 2 * MOST }, () => open(server)));
    for (const socket of held) expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are counted when only other addresses are proxies', async () => {
    const { server } = await serve(['10.0.0.0/8']);
    const held = await Promise.all(Array.from({ length: MOST }, () => open(server)));
    expect(await ask(await open(server))).toBe('');
    for (const socket of held) socket.destroy();
  });
});

describe('a response that its client reads slowly', () => {
  let server: HttpServer;
  beforeAll(async () => {
    const bounds = { sendGrace: 300, sendBytesPerSecond: 32 * 1024 * 1024, connectionsCheckingInterval: 50 };
    server = (await serve(undefined, bounds)).server;
  });

  /**
   * Requests the large response, reads it in portions of this many bytes until `isEnough`, and returns how many bytes were
   * read.
   */
  async function read(
    bytes: number,
    pauseMs: number,
    isOver: (count: number) => boolean,
    from = server,
  ): Promise<number> {
    const socket = await open(from);
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    let count = 0;
    while (!isOver(count)) {
      const piece: Buffer | null = socket.read(Math.min(bytes, Math.max(1, socket.readableLength)));
      count += piece?.length ?? 0;
      await sleep(pauseMs);
    }
    socket.destroy();
    return count;
  }

  it('is cut when it is read byte by byte, although the connection is never idle', async () => {
    expect(await read(1, 5, () => cut > 0)).toBeLessThan(10_000);
  });

  it('is sent whole to a client that reads slowly but steadily for longer than the idle timeout', async () => {
    cut = 0;
    const bounds = { idle: 500, connectionsCheckingInterval: 50 };
    const { server: patient } = await serve(undefined, bounds);
    const isWhole = (count: number) => count > ANSWER_BYTES || cut > 0;
    const began = performance.now();
    expect(await read(256 * 1024, 5, isWhole, patient)).toBeGreaterThan(ANSWER_BYTES);
    expect(performance.now() - began).toBeGreaterThan(2 * bounds.idle);
  });

  it('is sent whole to a client that reads it within the time limit', async () => {
    cut = 0;
    const isWhole = (count: number) => count > ANSWER_BYTES || cut > 0;
    expect(await read(ANSWER_BYTES, 0, isWhole)).toBeGreaterThan(ANSWER_BYTES);
    expect(cut).toBe(0);
  });
});
