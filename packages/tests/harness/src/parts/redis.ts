import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { findRedis, startRedis } from '@tidewatch/stack/parts/redis-server';
import { containerObstacle, describeImage } from './container.ts';
import { choosePart, type PartServer, type PartSource, type WayName } from './part.ts';
import { recordPart } from './report.ts';

/** The address at which suites reach Redis or Valkey. */
export interface RedisAddress {
  url: string;
}

/** A Redis server of one suite, which may stop and pause it. */
export interface RedisServer extends PartServer<RedisAddress> {
  /** Makes the server answer nothing, with connections left open. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface RedisOptions {
  /** The port on this machine. */
  port: number;
  password: string;
}

/** The source of Redis that the setup has found for suites. */
export type RedisPart =
  | { state: 'given'; address: RedisAddress }
  | { state: 'startable'; way: WayName }
  | { state: 'lacked' };

const IMAGE = 'valkey/valkey:9.1';

/** The source of Redis; each suite starts a server of its own. */
export const redisSource: PartSource<RedisAddress, RedisServer, RedisOptions> = {
  name: 'Redis',
  variable: 'TIDEWATCH_TEST_REDIS_URL',
  read: (url) => ({ url: new URL(url).href }),
  ways: {
    container: { obstacle: () => containerObstacle(IMAGE, { kept: false }), start: startInContainer },
    native: {
      obstacle: () => (findRedis() ? null : 'neither valkey-server nor redis-server is on PATH'),
      start: startNatively,
    },
  },
};

/** Finds the source of Redis without starting a server, because suites start and stop their own. */
export async function findRedisPart(): Promise<RedisPart> {
  const choice = await choosePart(redisSource);
  const { name } = redisSource;
  const stopped = `${name} to stop`;
  if (choice.state === 'startable') {
    const detail = choice.way === 'container' ? await describeImage(IMAGE) : (findRedis()?.version ?? '');
    recordPart({ name, state: 'started', detail });
  } else {
    recordPart({ ...choice, name });
    const detail = choice.state === 'given' ? 'a given server is left running' : choice.detail;
    recordPart({ name: stopped, state: 'lacked', detail });
  }
  return choice;
}

/** Starts a Redis server on a port of this machine, from the source that the setup has found. */
export function startRedisServer(way: WayName, options: RedisOptions): Promise<RedisServer> {
  return redisSource.ways[way].start(options);
}

const addressOf = (host: string, { port, password }: RedisOptions): RedisAddress => ({
  url: `redis://:${password}@${host}:${port}`,
});

async function anyOptions(): Promise<RedisOptions> {
  return { port: await freePort(), password: randomBytes(16).toString('hex') };
}

async function startInContainer(wanted?: RedisOptions): Promise<RedisServer> {
  const options = wanted ?? (await anyOptions());
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  const settings = { requirepass: options.password, save: '', appendonly: 'no', maxmemory: '64mb' };
  const container = await new GenericContainer(IMAGE)
    .withCommand([
      'valkey-server',
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    ])
    .withExposedPorts({ container: 6379, host: options.port })
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .start();
  const { container: runtime } = await getContainerRuntimeClient();
  const engine = runtime.getById(container.getId());
  return {
    address: addressOf(container.getHost(), options),
    detail: await describeImage(IMAGE),
    close: async () => void (await container.stop({ timeout: 1_000 })),
    pause: async () => void (await engine.pause()),
    resume: async () => void (await engine.unpause()),
  };
}

async function startNatively(wanted?: RedisOptions): Promise<RedisServer> {
  const options = wanted ?? (await anyOptions());
  const found = findRedis();
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-redis-'));
  const server = await startRedis({ ...options, command: found?.command ?? 'redis-server', home });
  return {
    address: addressOf('127.0.0.1', options),
    detail: found?.version ?? '',
    close: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
    pause: async () => server.signal('SIGSTOP'),
    resume: async () => server.signal('SIGCONT'),
  };
}
