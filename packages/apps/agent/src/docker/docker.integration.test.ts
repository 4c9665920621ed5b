import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDockerSource } from './docker.ts';

test('containers of an engine behind a unix socket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-docker-'));
  const socketPath = join(folder, 'docker.sock');
  let used = 1_000_000_000;
  let now = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/containers/json')) {
      response.end(
        JSON.stringify([
          { Id: 'a1', Names: ['/api'], Image: 'shop/api:1', State: 'running' },
          { Id: 'b2', Names: ['/old'], Image: 'shop/old:1', State: 'exited' },
        ]),
      );
    } else if (request.url?.startsWith('/containers/a1/stats')) {
      response.end(
        JSON.stringify({ cpu_stats: { cpu_usage: { total_usage: used } }, memory_stats: { usage: 4096 } }),
      );
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  try {
    const containers = createDockerSource({ socketPath, monotonic: () => now, timeoutMs: 1_000 });
    const old = { name: 'old', image: 'shop/old:1', status: 'exited' };
    const api = { name: 'api', image: 'shop/api:1', status: 'running', memory_usage: 4096 };
    expect(await containers()).toEqual([api, old]);
    used += 5_000_000_000;
    now += 10_000;
    expect(await containers()).toEqual([{ ...api, cpu_percent: 50 }, old]);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
});

test('no engine, no containers', async () => {
  expect(
    await createDockerSource({ socketPath: '/nowhere/docker.sock', monotonic: () => 0, timeoutMs: 500 })(),
  ).toEqual([]);
});
