import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Sql } from '@tidewatch/database/connection';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { Exporter } from './export.ts';

/** Text of characters with two UTF-16 units and four bytes, so that a wrong division is visible. */
const PIECE = `x${'😀'.repeat(40_000)}`;
/** The number of pieces: far more than the buffers between server and client hold. */
const PIECES = 250;

async function open(maxStallMs: number) {
  const metrics = createMetrics();
  // No database is needed, because the sent pieces are made here.
  const exporter = new Exporter(undefined as unknown as Sql, metrics, maxStallMs);
  const router = express.Router();
  let ended = 0;
  async function* pieces() {
    try {
      for (let index = 0; index < PIECES; index += 1) yield PIECE;
    } finally {
      ended += 1;
    }
  }
  router.get('/export', (request, response) => {
    const organizationId = String(request.query['organization']);
    response.locals['key'] = { organizationId };
    return exporter.sendPieces(response, 'text/plain', pieces());
  });
  const app = createApp({ routers: [router], endpoints: [], logger: createSilentLogger(), metrics });
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close();
    metrics.close();
  });
  return { port: Number(new URL(server.url).port), url: server.url, ended: () => ended };
}

async function reader(port: number, organization: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET /export?organization=${organization} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

it('an export to a client that does not read is aborted, and one to a client that reads is complete', async () => {
  const { port, url, ended } = await open(300);
  await Promise.all([reader(port, 'org_a'), reader(port, 'org_a')]);
  const lengths = ['org_a', 'org_b'].map(async (organization) => {
    const response = await fetch(`${url}/export?organization=${organization}`);
    return [response.status, (await response.text()) === PIECE.repeat(PIECES)];
  });
  expect(await Promise.all(lengths)).toEqual([
    [200, true],
    [200, true],
  ]);
  await expect.poll(ended).toBe(4);
});
