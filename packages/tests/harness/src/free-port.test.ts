import { createServer } from 'node:net';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { expect, test } from 'vitest';

test('a port can be listened on, and is none that a connection of another program gets', async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  server.close();
});

test('a port is given once, also before anyone listens on it', async () => {
  const ports: number[] = [];
  for (let asked = 0; asked < 500; asked += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(ports.length);
});
