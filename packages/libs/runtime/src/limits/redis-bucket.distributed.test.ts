import { startRedisServer } from '@tidewatch/harness/parts/redis';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { describe, expect, inject, it } from 'vitest';
import { createRedisBucket } from './redis-bucket.ts';
import { openLimitRedis } from './redis-connection.ts';
import { createMemoryBucket } from './token-bucket.ts';

const found = inject('redis');
const PASSWORD = 'of-this-test-alone';

describe.skipIf(found.state !== 'startable')('[needs Redis to stop] tokens in Redis', () => {
  it('are shared by gateways, and are kept by each gateway alone while Redis is unavailable', async () => {
    if (found.state !== 'startable') throw new Error('there is no Redis to start');
    const port = await freePort();
    const server = await startRedisServer(found.way, { port, password: PASSWORD });
    const connections = [1, 2].map(() => openLimitRedis(`redis://:${PASSWORD}@127.0.0.1:${port}`, 'test'));
    try {
      const buckets = connections.map((redis) =>
        createRedisBucket(600, redis, createMemoryBucket(600, performance.now.bind(performance))),
      );
      for (const redis of connections) await expect.poll(() => redis.ping().catch(() => null)).toBe('PONG');
      const [one, two] = buckets as [(typeof buckets)[0], (typeof buckets)[0]];
      expect(await one.take('org', 500, 0)).toEqual({ granted: 500 });
      expect(await two.take('org', 300, 0)).toEqual({ waitMs: expect.any(Number) });
      expect(await two.level('org')).toBeGreaterThanOrEqual(100);
      expect(await two.level('never')).toBe(600);
      // Expects what is left in the bucket, plus the little that was added meanwhile.
      const rest = await two.take('org', 50, 1_000);
      expect((rest as { granted: number }).granted).toBeGreaterThanOrEqual(100);
      expect((rest as { granted: number }).granted).toBeLessThan(300);
      expect(await one.take('other', 1_000, 0)).toEqual({ granted: 1_000 });
      expect(await one.take('other', 1, 0)).toEqual({ waitMs: expect.any(Number) });
      await server.close();
      expect(await two.take('org', 600, 0)).toEqual({ granted: 600 });
      expect(await two.take('org', 600, 0)).toEqual({ waitMs: expect.any(Number) });
    } finally {
      for (const redis of connections) redis.disconnect();
    }
  });
});
