import type { LimitRedis } from './redis-connection.ts';
import { LIMIT_PREFIX } from './shared-limit.ts';
import type { Grant, TokenBucket } from './token-bucket.ts';

/** The pause after a failure of Redis, ms, so that not every request waits for the timeout. */
const PAUSE_MS = 1_000;

/** The beginning of both scripts: the level of a bucket as `createMemoryBucket` computes it, by the clock of Redis. */
const LEVEL = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rate, need, more = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = rate
if known[1] then level = math.min(rate, known[1] + math.max(0, now - known[2]) * rate / 60000) end
`;

const READ = `${LEVEL}
return math.floor(level)`;

/** Takes from a bucket. A full bucket expires. */
const TAKE = `${LEVEL}
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

  /** What Redis answers, or undefined while it is unavailable. */
  async function ask(script: string, key: string, ...more: number[]): Promise<unknown> {
    if (performance.now() < pausedUntil) return undefined;
    try {
      return await redis.call('EVAL', script, 1, `${LIMIT_PREFIX}samples:${key}`, perMinute, ...more);
    } catch {
      // Not logged here, because the limit of requests, which uses Redis first, logs that Redis is unavailable.
      pausedUntil = performance.now() + PAUSE_MS;
      return undefined;
    }
  }

  return {
    async take(key, need, more): Promise<Grant> {
      const answer = await ask(TAKE, key, need, more);
      if (answer === undefined) return alone.take(key, need, more);
      const [granted, waitMs] = answer as [number, number];
      return granted > 0 || waitMs === 0 ? { granted } : { waitMs };
    },
    async level(key) {
      const answer = await ask(READ, key);
      return answer === undefined ? alone.level(key) : (answer as number);
    },
  };
}
