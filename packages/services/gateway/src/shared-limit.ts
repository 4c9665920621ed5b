import type { Logger } from '@tidewatch/runtime/logger';
import type { Metrics } from '@tidewatch/runtime/metrics';
import { openLimitRedis } from './redis-connection.ts';
import { SharedLimitStore } from './shared-limit-store.ts';

export interface SharedLimit {
  /** undefined where no Redis is configured: each gateway counts its own. */
  store: SharedLimitStore | undefined;
  /** Why gateways do not count together at the moment. */
  reasons(): Promise<string[]>;
  close(): Promise<void>;
}

const PREFIX = 'tidewatch:limit:';

/** Counts in the Redis of `url`, where there is one. Never waits for it: Redis may come later. */
export function openSharedLimit(url: string | undefined, logger: Logger, metrics: Metrics): SharedLimit {
  if (url === undefined) return { store: undefined, reasons: async () => [], close: async () => undefined };
  const up = metrics.gauge(
    'tidewatch_redis_up',
    'Whether requests are counted in Redis, with all gateways: 1 or 0.',
  );
  const local = metrics.counter(
    'tidewatch_rate_limit_local_total',
    'Requests that this gateway counted by itself, since Redis was away.',
  );
  const redis = openLimitRedis(url);
  up.set(1);
  const store = new SharedLimitStore({
    redis,
    prefix: PREFIX,
    onLocalCount: () => local.inc(),
    onChange(available, reason) {
      up.set(available ? 1 : 0);
      if (available) logger.info('requests are counted in Redis again');
      else logger.warn({ reason }, 'Redis is away: this gateway counts requests by itself');
    },
  });
  return {
    store,
    reasons: async () =>
      (await store.probe()) ? [] : ['Redis is away: each gateway counts requests by itself'],
    close: async () => {
      store.shutdown();
      redis.disconnect();
    },
  };
}
