import type { Logger } from '@tidewatch/runtime/logger';
import { openLimitRedis } from './redis-connection.ts';
import { SharedLimitStore } from './shared-limit-store.ts';

export interface SharedLimit {
  /** undefined where no Redis is configured: each gateway counts its own. */
  store: SharedLimitStore | undefined;
  /** Why gateways do not count together at the moment. */
  reasons(): string[];
  close(): Promise<void>;
}

const PREFIX = 'tidewatch:limit:';

/** Counts in the Redis of `url`, where there is one. Never waits for it: Redis may come later. */
export function openSharedLimit(url: string | undefined, logger: Logger): SharedLimit {
  if (url === undefined) return { store: undefined, reasons: () => [], close: async () => undefined };
  const redis = openLimitRedis(url);
  const store = new SharedLimitStore({
    redis,
    prefix: PREFIX,
    onChange: (available, reason) =>
      available
        ? logger.info('requests are counted in Redis again')
        : logger.warn({ reason }, 'Redis is away: this gateway counts requests by itself'),
  });
  return {
    store,
    reasons: () => (store.available ? [] : ['Redis is away: each gateway counts requests by itself']),
    close: async () => {
      store.shutdown();
      redis.disconnect();
    },
  };
}
