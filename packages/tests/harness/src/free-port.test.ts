import { createServer } from 'node:net';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { expect, test } from 'vitest';

test('freePort returns a port on which a server can listen, below those of outgoing connections', async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  server.close();
});

test('freePort returns each port once, even if nothing listens on it yet', async () => {
  const ports: number[] = [];
  for (let asked = 0; asked < 500; asked += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(ports.length);
});
