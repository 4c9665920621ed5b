import type { Sql } from '@tidewatch/database/connection';
import { beyondRequest } from '@tidewatch/database/tenancy/bound-organization';
import type { ServiceFilter } from '@tidewatch/store/services/filter';
import { type GroupUsage, type ReadGroupUsage, readGroupUsage } from '@tidewatch/store/services/group-usage';
import { LRUCache } from 'lru-cache';

/** How long a result is cached, ms: latest values are stored twice a second, so a shorter time would give the same result. */
const REMEMBERED_MS = 500;
/** Maximum number of cached groups. */
const MAX_GROUPS = 100_000;

interface Question {
  organizationId: string;
  tag: string;
  filter: ServiceFilter;
}

/**
 * Reads the usage of groups at most once in half a second, because summing the values of ten thousand services takes as
 * long as ten other requests. Rejects with the error of the database, which is not cached.
 */
export function createGroupUsageCache(sql: Sql): ReadGroupUsage {
  const cache = new LRUCache<string, GroupUsage, Question>({
    ttl: REMEMBERED_MS,
    maxSize: MAX_GROUPS,
    sizeCalculation: (usage) => usage.size + 1,
    fetchMethod: (_key, _stale, { context }) =>
      beyondRequest(() => readGroupUsage(sql, context.organizationId, context.tag, context.filter)),
  });
  return async (organizationId, tag, filter, fresh) => {
    const key = JSON.stringify([organizationId, tag, filter.status, filter.q, filter.tag]);
    const context = { organizationId, tag, filter };
    const usage = await cache.fetch(key, { context, forceRefresh: fresh });
    return usage ?? readGroupUsage(sql, organizationId, tag, filter);
  };
}
