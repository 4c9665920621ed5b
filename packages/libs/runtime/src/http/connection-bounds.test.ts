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
/** How many answers ended before all of them was sent. */
let cut = 0;
const servers: { server: HttpServer; metrics: Metrics }[] = [];

/** A server of so few connections an address, and of an answer that no kernel holds whole. */
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
    ...{ host: '127.0.0.1', port: 0, metrics, connectionsPerAddress: MOST, bounds },
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

/** What a connection is answered; nothing where it is closed instead. */
async function ask(socket: Socket): Promise<string> {
  let said = '';
  socket.on('data', (data) => {
    said += data.toString('latin1');
  });
  socket.write('GET /quick HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  // A connection that was closed may tell so by an error.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return said;
}

describe('connections of one address', () => {
  it('beyond the most are closed, counted, and taken again once others end', async () => {
    const { server, metrics } = await serve();
    const held = await Promise.all(Array.from({ length: MOST }, () => open(server)));
    expect(await ask(await open(server))).toBe('');
    expect(await metrics.text()).toMatch(/^tidewatch_http_connections_refused_total 1$/m);
    expect(await ask(held.pop() as Socket)).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(async () => ask(await open(server)), { timeout: 5_000 }).toMatch(/^HTTP\/1\.1 200 /);
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

  it('are counted where only other addresses are proxies', async () => {
    const { server } = await serve(['10.0.0.0/8']);
    const held = await Promise.all(Array.from({ length: MOST }, () => open(server)));
    expect(await ask(await open(server))).toBe('');
    for (const socket of held) socket.destroy();
  });
});

describe('an answer that is read slowly', () => {
  let server: HttpServer;
  beforeAll(async () => {
    const bounds = { sendGrace: 300, sendBytesPerSecond: 32 * 1024 * 1024, connectionsCheckingInterval: 50 };
    server = (await serve(undefined, bounds)).server;
  });

  /** Asks for the large answer and reads so many bytes of it at a time until told to end; answers how many there were. */
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

  it('byte by byte is cut, though something moves all the time', async () => {
    expect(await read(1, 5, () => cut > 0)).toBeLessThan(10_000);
  }, 20_000);

  it('is sent whole to whoever takes it slowly but steadily, for longer than a connection may rest', async () => {
    cut = 0;
    const bounds = { idle: 500, connectionsCheckingInterval: 50 };
    const { server: patient } = await serve(undefined, bounds);
    const isWhole = (count: number) => count > ANSWER_BYTES || cut > 0;
    const began = performance.now();
    expect(await read(256 * 1024, 5, isWhole, patient)).toBeGreaterThan(ANSWER_BYTES);
    expect(performance.now() - began).toBeGreaterThan(2 * bounds.idle);
  }, 30_000);

  it('is sent whole to whoever takes it in time', async () => {
    cut = 0;
    const isWhole = (count: number) => count > ANSWER_BYTES || cut > 0;
    expect(await read(ANSWER_BYTES, 0, isWhole)).toBeGreaterThan(ANSWER_BYTES);
    expect(cut).toBe(0);
  }, 20_000);
});
