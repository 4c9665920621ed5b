import { notifyManager, type Query, type QueryClient } from '@tanstack/react-query';
import type { Event } from '@tidewatch/api-client/events';
import { MAX_SUMMARY_AGE_MS } from '@tidewatch/contracts/summary/summary-age';
import { effectOf } from './event-effect.ts';

/** Events that a slow response may have missed are kept until it arrives: for so long at most, ms, and at most so many. */
const KEPT_MS = 60_000;
const MAX_KEPT = 2_000;
/** The same read is repeated no sooner because of events, ms. */
export const MIN_REFETCH_MS = 2_000;
/** How old what the server answers may be, ms, by the first member of a read's key; 0 for all others. */
const MAX_ANSWER_AGE_MS: Readonly<Record<string, number>> = { summary: MAX_SUMMARY_AGE_MS };

export interface LiveCache {
  /** Applies events to everything that is cached, in one rendering. */
  apply(events: readonly Event[]): void;
  /** Reads everything on the page again: events may have been missed. */
  reset(): void;
  /** The stream is open: what was requested until now may have missed events and is read again a moment later. */
  opened(): void;
  /** How many events are kept for responses that are under way. */
  readonly keptEvents: number;
}

/**
 * Applies events to the reads in the cache. A response that was requested before an event and arrives after it gets the
 * event applied once more, so that it cannot bring back what was before.
 */
export function createLiveCache(
  client: QueryClient,
  now: () => number = Date.now,
  isHidden: () => boolean = () => document.hidden,
): LiveCache {
  const cache = client.getQueryCache();
  const kept: { at: number; event: Event }[] = [];
  const requestedAt = new WeakMap<Query, number>();
  const refetchedAt = new WeakMap<Query, number>();
  const waiting = new WeakSet<Query>();
  /** The time from which on an answer knows of every event so far that made the read stale. */
  const currentFrom = new WeakMap<Query, number>();

  cache.subscribe((notice) => {
    if (notice.type !== 'updated') return;
    const { query, action } = notice;
    if (action.type === 'fetch') requestedAt.set(query, now());
    if (action.type !== 'success' || action.manual) return;
    const since = requestedAt.get(query) ?? 0;
    for (const { at, event } of kept) if (at >= since) change(query, event);
    forget();
  });

  /** Drops the events that no running request can have missed. */
  const forget = () => {
    let oldest = Number.POSITIVE_INFINITY;
    for (const query of cache.getAll())
      if (query.state.fetchStatus !== 'idle') oldest = Math.min(oldest, requestedAt.get(query) ?? 0);
    oldest = Math.max(oldest, now() - KEPT_MS);
    const first = kept.findIndex(({ at }) => at >= oldest);
    kept.splice(0, first < 0 ? kept.length : Math.max(first, kept.length - MAX_KEPT));
  };

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
    const refetchType = isHidden() ? 'none' : 'active';
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType });
    if ((currentFrom.get(query) ?? 0) > now()) refetchSoon(query);
  };
  const refetchSoon = (query: Query) => {
    if (waiting.has(query)) return;
    const wait = (refetchedAt.get(query) ?? Number.NEGATIVE_INFINITY) + MIN_REFETCH_MS - now();
    if (wait <= 0) return refetch(query);
    waiting.add(query);
    setTimeout(() => refetch(query), wait);
  };

  /** Reads again what nothing else has read since, once its response has arrived. */
  const repeat = (query: Query, requested: number) =>
    setTimeout(() => {
      if (requestedAt.get(query) !== requested) return;
      if (query.state.fetchStatus === 'fetching') repeat(query, requested);
      else refetch(query);
    }, MIN_REFETCH_MS);

  return {
    apply(events) {
      const at = now();
      for (const event of events) kept.push({ at, event });
      forget();
      notifyManager.batch(() => {
        const stale = new Set<Query>();
        for (const event of events)
          for (const query of cache.getAll()) if (change(query, event)) stale.add(query);
        for (const query of stale) {
          currentFrom.set(query, at + (MAX_ANSWER_AGE_MS[String(query.queryKey[0])] ?? 0));
          refetchSoon(query);
        }
      });
    },
    opened() {
      for (const query of cache.getAll()) {
        const requested = requestedAt.get(query);
        if (requested !== undefined) repeat(query, requested);
      }
    },
    get keptEvents() {
      return kept.length;
    },
    reset() {
      kept.length = 0;
      void client.invalidateQueries({ refetchType: isHidden() ? 'none' : 'active' });
    },
  };
}
