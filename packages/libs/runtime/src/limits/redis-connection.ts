import { Redis } from 'ioredis';

/** The part of ioredis that is used; commands fail within 50 ms while the server is away. */
export type LimitRedis = Pick<Redis, 'call' | 'on' | 'ping'>;

/** Longest wait for one command, ms: what Redis being slow may add to a request. */
const COMMAND_MS = 50;

/** A connection that never lets a request wait: nothing is queued, and commands fail fast while the server is away. */
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
  // Without a listener every failed attempt is printed; the store says once that Redis is away.
  redis.on('error', () => undefined);
  return redis;
}
