import { Redis } from 'ioredis';

/** The part of ioredis that is used; commands fail within 50 ms while the server is unavailable. */
export type LimitRedis = Pick<Redis, 'call' | 'on' | 'ping'>;

/** Timeout of one command, ms: the maximum that a slow Redis adds to a request. */
const COMMAND_MS = 50;

/**
 * Opens a connection to Redis that never delays a request: commands are not queued and fail fast while the server is
 * unavailable.
 * @param commandMs timeout of one command, ms
 */
export function openLimitRedis(url: string, connectionName: string, commandMs = COMMAND_MS): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: commandMs,
    connectTimeout: 2_000,
    noDelay: true,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
    connectionName,
  });
  // Listens for errors only because ioredis would print every failed attempt; the store logs that Redis is unavailable.
  redis.on('error', () => undefined);
  return redis;
}
