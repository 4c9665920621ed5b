import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { openForFile } from '@tidewatch/harness/opened';
import { afterAll, test } from 'vitest';
import { createClient, inOwnOrganization, seconds, uniqueName } from './client.ts';
import { openTarget } from './target.ts';

const MIB = 2 ** 20;

const sockets: Socket[] = [];

const target = await openForFile(openTarget());
const attacker = (await inOwnOrganization(target)).key;
const neighbour = createClient(await inOwnOrganization(target));
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
});

/** Sends the head of a request to ingest and a part of its body, on a separate connection. */
function begin(length: number, body: Uint8Array | string, more = ''): Promise<Socket> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nX-API-Key: ${attacker}\r\nContent-Type: application/json\r\n` +
          `${more}Content-Length: ${length}\r\n\r\n`,
      );
      socket.write(body);
      resolve(socket);
    });
    socket.on('error', reject);
    socket.resume();
    sockets.push(socket);
  });
}

const body = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    host: uniqueName('neighbour'),
    timestamp: seconds(-index),
    metrics: Object.fromEntries(Array.from({ length: 60 }, (_, metric) => [`m${metric}`, 1.5])),
  }));

test('slowly sent bodies of one organization do not prevent others from sending payloads', async () => {
  await Promise.all(Array.from({ length: 100 }, () => begin(MIB, '[')));
  for (let i = 0; i < 3; i += 1) await neighbour.expect(200, 'POST', '/ingest', body(1));
});

test('small bodies of one organization that decompress to very large ones do not prevent another from sending a large one', async () => {
  const blank = gzipSync(`[${' '.repeat(16 * MIB - 20)}]`, { level: 9 });
  const deep = gzipSync('['.repeat(16 * MIB - 20), { level: 9 });
  const bombs = Array.from({ length: 40 }, (_, index) => (index < 4 ? deep : blank));
  await Promise.all(bombs.map((bomb) => begin(bomb.length, bomb, 'Content-Encoding: gzip\r\n')));
  await neighbour.expect(200, 'POST', '/ingest', body(500));
});
