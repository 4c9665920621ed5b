import { notifyManager, type Query, type QueryClient } from '@tanstack/react-query';
import type { Event } from '@tidewatch/api-client/events';
import { MAX_SUMMARY_AGE_MS } from '@tidewatch/contracts/summary/summary-age';
import { type Effect, effectOf } from './event-effect.ts';

/** Events that a slow response may have missed are kept until it arrives: for so long at most, ms, and at most so many. */
const KEPT_MS = 60_000;
const MAX_KEPT = 2_000;
/** The same read is repeated no sooner because of events, ms. */
export const MIN_REFETCH_MS = 2_000;
/** A list whose total was counted on by events is read again so much later, ms: what was counted may have been in it already. */
export const RECOUNT_MS = 10_000;
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
  /** Reads that are repeated soon, and whether a hidden page repeats them too. */
  const waiting = new WeakMap<Query, { whileHidden: boolean }>();
  /** The time from which on an answer knows of every event so far that made the read stale. */
  const currentFrom = new WeakMap<Query, number>();

  cache.subscribe((notice) => {
    if (notice.type !== 'updated') return;
    const { query, action } = notice;
    if (action.type === 'fetch') requestedAt.set(query, now());
    if (action.type !== 'success' || action.manual) return;
    const since = requestedAt.get(query) ?? 0;
    for (const { at, event } of kept)
      if (at >= since && isRecounted(query, change(query, event))) refetchSoon(query);
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

  /** Applies what changes the data itself, and returns the effect. */
  const change = (query: Query, event: Event): Effect => {
    const effect = effectOf(event, query.queryKey, query.state.data);
    if (effect.kind === 'data') client.setQueryData(query.queryKey, effect.data);
    return effect;
  };

  const refetch = (query: Query, whileHidden: boolean) => {
    waiting.delete(query);
    refetchedAt.set(query, now());
    // What is stale on a hidden page is read when it is shown.
    const refetchType = isHidden() && !whileHidden ? 'none' : 'active';
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType });
    if ((currentFrom.get(query) ?? 0) > now()) refetchSoon(query, whileHidden);
  };
  const refetchSoon = (query: Query, whileHidden = false) => {
    const known = waiting.get(query);
    if (known !== undefined) {
      known.whileHidden ||= whileHidden;
      return;
    }
    const wait = Math.max(
      (refetchedAt.get(query) ?? Number.NEGATIVE_INFINITY) + MIN_REFETCH_MS - now(),
      query.queryKey[0] === 'alerts' ? RECOUNT_MS : 0,
    );
    if (wait <= 0) return refetch(query, whileHidden);
    const repeated = { whileHidden };
    waiting.set(query, repeated);
    setTimeout(() => refetch(query, repeated.whileHidden), wait);
  };

  /** Reads again what nothing else has read since, once its response has arrived. */
  const repeat = (query: Query, requested: number) =>
    setTimeout(() => {
      if (requestedAt.get(query) !== requested) return;
      if (query.state.fetchStatus === 'fetching') repeat(query, requested);
      else refetch(query, isInTitle(query));
    }, MIN_REFETCH_MS);

  return {
    apply(events) {
      const at = now();
      for (const event of events) kept.push({ at, event });
      forget();
      notifyManager.batch(() => {
        /** Whether a hidden page reads them again too. */
        const stale = new Map<Query, boolean>();
        for (const event of events)
          for (const query of cache.getAll()) {
            const effect = change(query, event);
            if (effect.kind === 'none' || (effect.kind === 'data' && !effect.isStale)) continue;
            const isUncounted = effect.kind === 'stale' && isInTitle(query) && isOfCountedAlert(event);
            stale.set(query, isUncounted || stale.get(query) === true);
          }
        for (const [query, whileHidden] of stale) {
          currentFrom.set(query, at + (MAX_ANSWER_AGE_MS[String(query.queryKey[0])] ?? 0));
          refetchSoon(query, whileHidden);
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
      void client.invalidateQueries({
        predicate: (query) => !isInTitle(query),
        refetchType: isHidden() ? 'none' : 'active',
      });
      void client.invalidateQueries({ predicate: isInTitle });
    },
  };
}

/** Whether the title of a hidden page counts by this read, so that it has to be current while nobody sees the page. */
function isInTitle({ queryKey }: Query): boolean {
  return queryKey[0] === 'summary';
}

/** Alerts of rules on trial are in no count. */
function isOfCountedAlert(event: Event): boolean {
  return 'alert' in event.data && !event.data.alert.shadow;
}

/** Whether an event changed the total of a list by an alert that the list does not show. */
function isRecounted({ queryKey }: Query, effect: Effect): boolean {
  return queryKey[0] === 'alerts' && effect.kind === 'data' && effect.isStale === true;
}
