import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as open,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createForwarding } from './forward.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens the proxy in front of one upstream, whose requests `onRequest` answers. */
async function proxyOf(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const upstream = await listen(createServer(onRequest));
  const { server } = createForwarding({ gateways: [upstream], api: [upstream], answer: () => false });
  return listen(server);
}

it.each(['/api/v1/ingest', '/api/v1/services', '/api/v1/events'])(
  'ends the upstream request of %s once its client has left, although the client had sent all of it',
  async (path) => {
    const received = Promise.withResolvers<ServerResponse>();
    const url = await proxyOf((request, response) => {
      request.resume().once('end', () => received.resolve(response));
    });
    const client = open(`${url}${path}`, { method: 'POST' });
    client.on('error', () => undefined);
    client.end('[]');
    const upstreamResponse = await received.promise;
    const left = once(upstreamResponse, 'close');
    client.destroy();
    await left;
    expect(upstreamResponse.writableFinished).toBe(false);
  },
);

it('passes the answer of the upstream to a client that waits', async () => {
  const url = await proxyOf((request, response) => {
    request.resume().once('end', () => response.writeHead(207).end('answer'));
  });
  const response = await fetch(`${url}/api/v1/ingest`, { method: 'POST', body: '[]' });
  expect([response.status, await response.text()]).toEqual([207, 'answer']);
});

it('answers 502 if no upstream can be reached', async () => {
  const { server } = createForwarding({
    gateways: ['http://127.0.0.1:1'],
    api: ['http://127.0.0.1:1'],
    answer: () => false,
  });
  const response = await fetch(`${await listen(server)}/api/v1/services`);
  expect(response.status).toBe(502);
});
