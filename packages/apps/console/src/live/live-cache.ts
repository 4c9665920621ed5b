import { notifyManager, type Query, type QueryClient } from '@tanstack/react-query';
import type { Event } from '@tidewatch/api-client/events';
import { effectOf } from './event-effect.ts';

/** Events that a slow response may have missed are kept for so long, ms, and at most so many. */
const KEPT_MS = 60_000;
const MAX_KEPT = 2_000;
/** The same read is repeated no sooner because of events, ms. */
export const MIN_REFETCH_MS = 2_000;

export interface LiveCache {
  /** Applies events to everything that is cached, in one rendering. */
  apply(events: readonly Event[]): void;
  /** Reads everything on the page again: events may have been missed. */
  reset(): void;
}

/**
 * Applies events to the reads in the cache. A response that was requested before an event and arrives after it gets the
 * event applied once more, so that it cannot bring back what was before.
 */
export function createLiveCache(client: QueryClient, now: () => number = Date.now): LiveCache {
  const cache = client.getQueryCache();
  const kept: { at: number; event: Event }[] = [];
  const requestedAt = new WeakMap<Query, number>();
  const refetchedAt = new WeakMap<Query, number>();
  const waiting = new WeakSet<Query>();

  cache.subscribe((notice) => {
    if (notice.type !== 'updated') return;
    const { query, action } = notice;
    if (action.type === 'fetch') requestedAt.set(query, now());
    if (action.type !== 'success' || action.manual) return;
    const since = requestedAt.get(query) ?? 0;
    for (const { at, event } of kept) if (at >= since) change(query, event);
  });

  /** Applies what changes the data itself; returns true if the read has to be repeated. */
  const change = (query: Query, event: Event): boolean => {
    const effect = effectOf(event, query.queryKey, query.state.data);
    if (effect.kind === 'data') client.setQueryData(query.queryKey, effect.data);
    return effect.kind === 'stale' || (effect.kind === 'data' && effect.isStale === true);
  };

  const refetch = (query: Query) => {
    waiting.delete(query);
    refetchedAt.set(query, now());
    // A hidden page requests nothing; what is stale is read when it is shown.
    const refetchType = document.hidden ? 'none' : 'active';
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType });
  };
  const refetchSoon = (query: Query) => {
    if (waiting.has(query)) return;
    const wait = (refetchedAt.get(query) ?? Number.NEGATIVE_INFINITY) + MIN_REFETCH_MS - now();
    if (wait <= 0) return refetch(query);
    waiting.add(query);
    setTimeout(() => refetch(query), wait);
  };

  return {
    apply(events) {
      const at = now();
      for (const event of events) kept.push({ at, event });
      const firstKept = kept.findIndex((each) => each.at >= at - KEPT_MS);
      kept.splice(0, Math.max(firstKept, kept.length - MAX_KEPT));
      notifyManager.batch(() => {
        const stale = new Set<Query>();
        for (const event of events)
          for (const query of cache.getAll()) if (change(query, event)) stale.add(query);
        for (const query of stale) refetchSoon(query);
      });
    },
    reset() {
      kept.length = 0;
      void client.invalidateQueries({ refetchType: document.hidden ? 'none' : 'active' });
    },
  };
}
