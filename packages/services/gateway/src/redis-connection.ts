import { Redis } from 'ioredis';

/** Longest wait for one command, ms: what Redis being slow may add to a request. */
const COMMAND_MS = 50;

/** A connection that never lets a request wait: nothing is queued, and commands fail fast while the server is away. */
export function openLimitRedis(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_MS,
    connectTimeout: 2_000,
    noDelay: true,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    connectionName: 'tidewatch-gateway',
  });
  // Without a listener every failed attempt is printed; the store says once that Redis is away.
  redis.on('error', () => undefined);
  return redis;
}
