import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type LimitRedis, openLimitRedis } from './redis-connection.ts';
import type { RequestPolicy } from './request-limit.ts';
import { SharedLimitStore } from './shared-limit-store.ts';

export interface SharedLimit {
  /** The store in Redis; undefined if no Redis is configured, and each process counts by itself. */
  store: SharedLimitStore | undefined;
  /** The connection to Redis, for other counts that processes share. */
  redis: LimitRedis | undefined;
  /** Returns the reasons why the processes do not share their counts; an empty list while they do. */
  reasons(): Promise<string[]>;
  close(): Promise<void>;
}

export interface SharedLimitOptions {
  /** The address of Redis; undefined if none is configured. */
  url: string | undefined;
  policy: RequestPolicy;
  logger: Logger;
  metrics: Metrics;
}

/** The prefix of every key of the product in Redis. */
export const LIMIT_PREFIX = 'tidewatch:limit:';

/** The limit without Redis, with which each process counts its own requests in memory. */
export const COUNTED_ALONE: SharedLimit = {
  store: undefined,
  redis: undefined,
  reasons: async () => [],
  close: async () => undefined,
};

/**
 * Opens the count of requests in the Redis at `url`, if one is set. Does not wait for Redis, which may become available
 * later.
 */
export function openSharedLimit({ url, policy, logger, metrics }: SharedLimitOptions): SharedLimit {
  if (url === undefined) return COUNTED_ALONE;
  const up = metrics.gauge(
    'tidewatch_redis_up',
    'Whether requests are counted in Redis, with all other processes: 1 or 0.',
  );
  const local = metrics.counter(
    'tidewatch_rate_limit_local_total',
    'Requests that this process counted by itself, since Redis was unavailable.',
  );
  const redis = openLimitRedis(url, `tidewatch-${policy}`);
  up.set(1);
  const store = new SharedLimitStore({
    redis,
    prefix: `${LIMIT_PREFIX}${policy}:`,
    onLocalCount: () => local.inc(),
    onChange(available, reason) {
      up.set(available ? 1 : 0);
      if (available) logger.info('requests are counted in Redis again');
      else
        logger.warn({ reason }, 'Redis is unavailable: this process counts requests by itself; reconnecting');
    },
  });
  return {
    store,
    redis,
    reasons: async () =>
      (await store.probe()) ? [] : ['Redis is unavailable: each process counts requests by itself'],
    close: async () => {
      store.shutdown();
      redis.disconnect();
    },
  };
}
