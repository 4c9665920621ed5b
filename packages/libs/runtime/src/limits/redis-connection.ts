import { Redis } from 'ioredis';

/** The part of ioredis that is used; commands fail within 50 ms while the server is unavailable. */
export type LimitRedis = Pick<Redis, 'call' | 'on' | 'ping'>;

/** Timeout of one command, ms: the maximum that a slow Redis adds to a request. */
const COMMAND_MS = 50;

/** A connection that never delays a request: nothing is queued, and commands fail fast while the server is unavailable. */
export function openLimitRedis(url: string, connectionName: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_MS,
    connectTimeout: 2_000,
    noDelay: true,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    connectionName,
  });
  // Without a listener ioredis prints every failed attempt; the store logs once that Redis is unavailable.
  redis.on('error', () => undefined);
  return redis;
}
