import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDockerSource, type DockerOptions } from './docker.ts';

// The folder of a socket whose answers have the form of Docker 20.10.
let folder: string;
let socketPath: string;
let server: Server | undefined;
const lines: string[] = [];
const logger = createLogger({ name: 'agent', destination: { write: (line) => void lines.push(line) } });
const open = (options: Partial<DockerOptions>) =>
  createDockerSource({
    socketPaths: [socketPath],
    monotonic: () => 0,
    timeoutMs: 30_000,
    logger,
    ...options,
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-docker-'));
  socketPath = join(folder, 'docker.sock');
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  rmSync(folder, { recursive: true });
});

function listen(answer: RequestListener): Promise<void> {
  server = createServer(answer);
  return new Promise((resolve) => server?.listen(socketPath, resolve));
}

const LISTED = [
  { Id: 'a1', Names: ['/api'], Image: 'shop/api:1', State: 'running' },
  { Id: 'b2', Names: ['/old'], Image: 'shop/old:1', State: 'exited' },
  { Id: 'c3', Names: ['/held'], Image: 'shop/held:1', State: 'paused' },
];
const old = {
  name: 'old',
  id: 'b2',
  image: 'shop/old:1',
  status: 'exited',
  running: 0,
  cpu_percent: 0,
  memory_usage: 0,
  restart_count: 2,
};

test('reads containers over a unix socket and reports a stopped one with zero usage', async () => {
  let used = 1_000_000_000;
  let now = 0;
  await listen((request, response) => {
    if (request.url?.startsWith('/containers/json')) response.end(JSON.stringify(LISTED));
    else if (request.url?.endsWith('/json')) response.end('{"RestartCount":2}');
    else if (request.url?.startsWith('/containers/b2')) response.writeHead(500).end();
    else {
      const total = request.url?.startsWith('/containers/a1') ? used : 5;
      response.end(
        JSON.stringify({ cpu_stats: { cpu_usage: { total_usage: total } }, memory_stats: { usage: 4096 } }),
      );
    }
  });
  const containers = open({ monotonic: () => now });
  const api = {
    name: 'api',
    id: 'a1',
    image: 'shop/api:1',
    status: 'running',
    running: 1,
    memory_usage: 4096,
    restart_count: 2,
  };
  const held = {
    name: 'held',
    id: 'c3',
    image: 'shop/held:1',
    status: 'paused',
    running: 0,
    memory_usage: 4096,
    restart_count: 2,
  };
  expect(await containers()).toEqual({ containers: [api, old, held], leftOut: 0 });
  used += 5_000_000_000;
  now += 10_000;
  expect(await containers()).toMatchObject({
    containers: [{ ...api, cpu_percent: 50 }, old, { ...held, cpu_percent: 0 }],
  });
});

test('reports an empty list for a Docker engine without containers', async () => {
  await listen((_request, response) => response.end('[]'));
  expect(await open({})()).toEqual({ containers: [], leftOut: 0 });
});

test('reports containers without statistics when Docker does not answer in time', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    Id: `i${index}`,
    Names: [`/n${index}`],
    State: 'running',
  }));
  let asked = 0;
  await listen((request, response) => {
    if (request.url?.startsWith('/containers/json')) response.end(JSON.stringify(many));
    else asked += 1; // and never answers
  });
  const found = await open({ timeoutMs: 500 })();
  expect(found?.containers).toHaveLength(300);
  expect(found?.containers[0]).toEqual({ name: 'n0', id: 'i0', status: 'running', running: 1 });
  expect(asked).toBeLessThanOrEqual(100);
});

test('fails when the Docker socket does not answer, and reports no list of containers when it is missing', async () => {
  await listen(() => {});
  await expect(open({ timeoutMs: 200 })()).rejects.toThrow(/timeout|aborted/i);
  const nowhere = join(folder, 'nowhere.sock');
  expect(await open({ socketPaths: [nowhere], timeoutMs: 500 })()).toBeUndefined();
});

test('reads from the second socket where the first does not exist', async () => {
  await listen((_request, response) => response.end('[]'));
  const socketPaths = [join(folder, 'nowhere.sock'), socketPath];
  expect(await open({ socketPaths })()).toEqual({ containers: [], leftOut: 0 });
});

test('reports running containers first when there are more than 500, and logs once how many are left out', async () => {
  const exited = Array.from({ length: 600 }, (_, index) => ({
    Id: `i${index}`,
    Names: [`/n${index}`],
    State: 'exited',
  }));
  let listed: unknown[] = [...exited, { Id: 'run', Names: ['/db'], State: 'running' }, null];
  await listen((request, response) =>
    response.end(request.url?.startsWith('/containers/json') ? JSON.stringify(listed) : '{}'),
  );
  lines.length = 0;
  const containers = open({});
  const found = await containers();
  await containers();
  expect(found).toMatchObject({ leftOut: 101 });
  expect(found?.containers[0]?.name).toBe('db');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ leftOut: 101 }]);
  listed = [];
  expect(await containers()).toEqual({ containers: [], leftOut: 0 });
  expect(lines).toHaveLength(2);
});
