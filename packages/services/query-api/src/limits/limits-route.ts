import type { LIMIT_ROUTES } from '@tidewatch/contracts/limits/limit-routes';
import type { Limits } from '@tidewatch/contracts/limits/limits';
import { toIso } from '@tidewatch/contracts/time/time';
import { beyondRequest } from '@tidewatch/database/tenancy/bound-organization';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import { readLimitField } from '@tidewatch/runtime/limits/limit-headers';
import { countStored } from '@tidewatch/store/limits/stored-counts';
import { countLargestHost } from '@tidewatch/store/parts/largest-host';
import { countActiveSeries } from '@tidewatch/store/series/active-series';
import { LRUCache } from 'lru-cache';
import { sendTagged } from '../http/entity-tag.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** Counting the series and objects of a large organization takes tens of milliseconds. */
const COUNT_EVERY_MS = 10_000;
const MAX_ORGANIZATIONS = 10_000;

type Counts = Omit<Limits, 'requests' | 'samples'>;

/** `/api/v1/limits`. */
export function createLimitHandlers({
  sql,
  clock,
  config,
  samples,
}: QueryApiOptions): Handlers<typeof LIMIT_ROUTES> {
  const known = new LRUCache<string, { countedAt: number; counts: Promise<Counts> }>({
    max: MAX_ORGANIZATIONS,
  });

  async function count(organizationId: string, now: number): Promise<Counts> {
    const [series, largest, stored] = await Promise.all([
      countActiveSeries(sql, organizationId, now),
      countLargestHost(sql, organizationId, now),
      countStored(sql, organizationId, now),
    ]);
    const { limits } = config;
    return {
      series: { limit: config.seriesLimit, used: series },
      parts_per_host: { limit: config.hostPartsLimit, used: largest.parts },
      part_series_per_host: { limit: config.hostPartSeriesLimit, used: largest.series },
      rules: { limit: limits.rulesLimit, used: stored.rules },
      channels: { limit: limits.channelsLimit, used: stored.channels },
      silences: { limit: limits.silencesLimit, used: stored.silences },
      keys: { limit: limits.keysLimit, used: stored.keys },
      markers: { limit: limits.markersLimit, used: stored.markers },
      audit_bytes: { limit: limits.auditBytesPerHour, used: stored.auditBytes },
    };
  }

  function recent(organizationId: string): Promise<Counts> {
    const now = clock();
    const last = known.get(organizationId);
    if (last !== undefined && now >= last.countedAt && now - last.countedAt < COUNT_EVERY_MS)
      return last.counts;
    const counts = beyondRequest(() => count(organizationId, now));
    known.set(organizationId, { countedAt: now, counts });
    // A failure is not remembered.
    counts.catch(() => known.delete(organizationId));
    return counts;
  }

  return {
    async getLimits({ organizationId, request, response }) {
      const perMinute = keyOf(response).rateLimitPerMinute ?? config.rateLimitPerMinute;
      const window = readLimitField(String(response.getHeader('RateLimit')));
      const level = await samples?.level(organizationId);
      const answer: Limits = {
        requests: {
          per_minute: perMinute,
          used: perMinute - (window?.remaining ?? perMinute),
          resets_at: toIso(clock() + 1_000 * (window?.resetSeconds ?? 0)),
        },
        samples: {
          per_minute: config.samplesPerMinute,
          available: level === undefined ? null : Math.floor(level),
        },
        ...(await recent(organizationId)),
      };
      sendTagged(request, response, answer, null);
    },
  };
}
