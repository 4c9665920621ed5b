import { createRedisBucket } from './redis-bucket.ts';
import type { LimitRedis } from './redis-connection.ts';
import { createMemoryBucket, type TokenBucket } from './token-bucket.ts';

/**
 * The buckets of samples of organizations: in Redis where there is one, else in the memory of this process. Undefined if samples
 * are not limited, so that none are counted. `monotonic` in ms.
 */
export function openSampleBuckets(
  perMinute: number | undefined,
  redis: LimitRedis | undefined,
  monotonic: () => number = () => performance.now(),
): TokenBucket | undefined {
  if (perMinute === undefined) return undefined;
  const alone = createMemoryBucket(perMinute, monotonic);
  return redis === undefined ? alone : createRedisBucket(perMinute, redis, alone);
}
