import { type RedisServer, startRedisServer } from '@tidewatch/harness/parts/redis';
import { freePort } from '@tidewatch/stack/parts/free-port';
import type { Options } from 'express-rate-limit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openLimitRedis } from './redis-connection.ts';
import { SharedLimitStore } from './shared-limit-store.ts';

const found = inject('redis');
const OPTIONS = { windowMs: 60_000 } as Options;
const PASSWORD = 'of-this-test-alone';
/** Longer than in the product, since a Redis that is there has to count on a busy machine too, ms. */
const COMMAND_MS = 2_000;

let port: number;
let server: RedisServer | null;
const connections: Redis[] = [];
const changes: boolean[] = [];
let local = 0;

async function start() {
  if (found.state === 'startable') server = await startRedisServer(found.way, { port, password: PASSWORD });
}

function openStore(url = `redis://:${PASSWORD}@127.0.0.1:${port}`): SharedLimitStore {
  const redis = openLimitRedis(url, 'tidewatch-test', COMMAND_MS);
  connections.push(redis);
  const store = new SharedLimitStore({
    redis,
    prefix: `limit-${port}:`,
    onChange: (now) => changes.push(now),
    onLocalCount: () => {
      local += 1;
    },
  });
  store.init(OPTIONS);
  return store;
}

/** Counts requests until Redis responds again; returns the count from Redis. */
async function counted(store: SharedLimitStore, key: string): Promise<number> {
  const asksRedis = async () => {
    await store.increment('poll');
    return store.available;
  };
  await expect.poll(asksRedis).toBe(true);
  return (await store.increment(key)).totalHits;
}

beforeEach(async () => {
  port = await freePort();
  server = null;
  changes.length = 0;
  local = 0;
});

afterEach(async () => {
  for (const redis of connections.splice(0)) redis.disconnect();
  await server?.close();
});

describe.skipIf(found.state === 'lacked')('[needs Redis] requests counted in Redis', () => {
  it('count against one quota at all gateways', async () => {
    await start();
    const url = found.state === 'given' ? found.address.url : server?.address.url;
    const [one, two] = [openStore(url), openStore(url)];
    await counted(one, 'warm');
    await counted(two, 'warm');
    await one.increment('key');
    await two.increment('key');
    expect((await one.increment('key')).totalHits).toBe(3);
  });
});

describe.skipIf(found.state !== 'startable')('[needs Redis to stop] requests counted in Redis', () => {
  it('are counted by each gateway alone while Redis is down, also when it is down at the start', async () => {
    const store = openStore();
    expect((await store.increment('key')).totalHits).toBe(1);
    expect((await store.increment('key')).totalHits).toBe(2);
    expect(store.available).toBe(false);
    expect(local).toBe(2);
    await start();
    expect(await counted(store, 'key')).toBe(1);
    expect(changes).toEqual([false, true]);
  });

  it('are counted again after Redis was flushed or restarted', async () => {
    await start();
    const store = openStore();
    await counted(store, 'key');
    await connections[0]?.call('SCRIPT', 'FLUSH');
    await connections[0]?.call('FLUSHALL');
    expect(await counted(store, 'key')).toBe(1);
    await server?.close();
    expect((await store.increment('key')).totalHits).toBe(1);
    await start();
    expect(await counted(store, 'key')).toBe(1);
  });

  it('do not wait for a Redis server that has stopped responding', async () => {
    await start();
    const store = openStore();
    await counted(store, 'key');
    await server?.pause();
    try {
      expect((await store.increment('other')).totalHits).toBe(1);
      expect(store.available).toBe(false);
      // During the pause after a failure requests are counted without Redis.
      expect((await store.increment('other')).totalHits).toBe(2);
    } finally {
      await server?.resume();
    }
    await counted(store, 'key');
  });

  it('report an unavailable Redis also while there are no requests', async () => {
    await start();
    const store = openStore();
    await expect.poll(() => store.probe()).toBe(true);
    await server?.pause();
    expect(await store.probe()).toBe(false);
    await server?.resume();
    await expect.poll(() => store.probe()).toBe(true);
    await server?.close();
    await expect.poll(() => store.available).toBe(false);
  });
});
