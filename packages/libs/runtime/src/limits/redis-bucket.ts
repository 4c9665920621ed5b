import type { LimitRedis } from './redis-connection.ts';
import { LIMIT_PREFIX } from './shared-limit.ts';
import type { Grant, TokenBucket } from './token-bucket.ts';

/** The pause after a failure of Redis, ms, so that not every request waits for the timeout. */
const PAUSE_MS = 1_000;

/** The Redis script that takes from a bucket as `createMemoryBucket` does, by the clock of Redis. A full bucket expires. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rate, need, more = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = rate
if known[1] then level = math.min(rate, known[1] + math.max(0, now - known[2]) * rate / 60000) end
local least = math.min(need, rate)
if level < least then return { 0, math.ceil((least - level) * 60000 / rate) } end
local granted = need + math.max(0, math.min(more, math.floor(level - need)))
level = level - granted
redis.call('HSET', KEYS[1], 'level', string.format('%.17g', level), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((rate - level) * 60000 / rate) + 1000)
return { granted, 0 }`;

/**
 * Buckets in Redis, shared by all gateways; while Redis is unavailable, the buckets of `alone` are used, which belong to
 * this gateway.
 */
export function createRedisBucket(perMinute: number, redis: LimitRedis, alone: TokenBucket): TokenBucket {
  let pausedUntil = 0;
  return {
    async take(key, need, more): Promise<Grant> {
      if (performance.now() >= pausedUntil) {
        try {
          const name = `${LIMIT_PREFIX}samples:${key}`;
          const answer = await redis.call('EVAL', TAKE, 1, name, perMinute, need, more);
          const [granted, waitMs] = answer as [number, number];
          return granted > 0 || waitMs === 0 ? { granted } : { waitMs };
        } catch {
          // Not logged here, because the limit of requests, which uses Redis first, logs that Redis is unavailable.
          pausedUntil = performance.now() + PAUSE_MS;
        }
      }
      return alone.take(key, need, more);
    },
  };
}
