import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../telemetry/logger.ts';

/** The store of keys, or of sessions that act for keys. Both functions throw while it is unavailable. */
export interface KeySource {
  /** Finds the key whose text has this SHA-256, 64 hex digits; null if there is none. */
  readonly find: (sha256: string) => Promise<KeyRecord | null>;
  /** Reads a counter that each change of an existing key raises. */
  readonly revision: () => Promise<number>;
}

/**
 * A cached key is used without a check for this time, ms. Afterwards the next request that uses it starts a check in the
 * background.
 */
const REFRESH_AFTER_MS = 4_000;
/**
 * A cached key that was last checked longer ago than this is checked before the request continues, so that a revoked key
 * stops working within ten seconds.
 */
const WAIT_AFTER_MS = 8_000;
/**
 * Timeout of a query for a key, ms; beyond it the store counts as unavailable. Short enough that a revoked key stops
 * within ten seconds.
 */
const LOOKUP_MS = 1_500;
/** The time for which a cached key is accepted while the store is unavailable, ms. */
const OUTAGE_MS = 15 * MINUTE_MS;
const UNKNOWN_MS = 5_000;
/** Max number of concurrent queries to an unavailable store, so that queries without an answer do not accumulate. */
const MAX_UNANSWERED = 100;
const MAX_KNOWN = 50_000;
const MAX_UNKNOWN = 10_000;

interface Entry {
  readonly key: KeyRecord;
  readonly seenAt: number;
  /** The counter of changes when the key was read; null if it was unknown. */
  readonly revision: number | null;
}

export interface KeyCache {
  /** Returns the cached key, or null if the key is known not to exist; undefined means that the caller must call `find`. */
  fresh(digest: string): KeyRecord | null | undefined;
  /** Throws `database_unavailable` where the store is unavailable and the key is not cached. */
  find(digest: string): Promise<KeyRecord | null>;
  /** Reads a key that may be cached otherwise; throws as `find`. Concurrent calls for one key share a query. */
  reread(digest: string): Promise<KeyRecord | null>;
  /** Removes a key that this process has changed, so that its next use reads it. */
  forget(digest: string): void;
  healthy(): boolean;
}

/**
 * Caches keys by digest. A cached key is valid while the counter of changes is unchanged, so that one query every few
 * seconds serves all keys; after a change each key is looked up again. Holds up to fifty thousand keys and, separately, ten
 * thousand unknown ones, so that guesses evict no key.
 */
export function createKeyCache(options: {
  keys: KeySource;
  clock: () => number;
  logger: Logger;
  /** Whether keys are cached, or sessions that act for keys; a field of log lines. */
  of?: 'keys' | 'sessions';
}): KeyCache {
  const { keys, clock, logger, of = 'keys' } = options;
  const known = new LRUCache<string, Entry>({ max: MAX_KNOWN });
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN });
  const running = new Map<string, Promise<KeyRecord | null>>();
  const rereading = new Map<string, Promise<KeyRecord | null>>();
  let confirming: Promise<void> | null = null;
  let latest: { revision: number; askedAt: number } | null = null;
  let reachable = true;
  let unanswered = 0;

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    if (!reachable && unanswered >= MAX_UNANSWERED) throw new Error('too many look-ups of keys are waiting');
    unanswered += 1;
    const answer = question().finally(() => {
      unanswered -= 1;
    });
    const answered = await answerOf(answer);
    if (!reachable)
      logger.info(of === 'keys' ? 'keys can be looked up again' : 'sessions can be looked up again');
    reachable = true;
    return answered;
  }

  function failed(error: unknown): void {
    if (reachable)
      logger.warn(
        { err: error },
        of === 'keys'
          ? 'keys cannot be looked up: the database is unavailable; cached keys are accepted meanwhile; retrying'
          : 'sessions cannot be looked up: the database is unavailable; cached sessions are accepted meanwhile; retrying',
      );
    reachable = false;
  }

  const stands = ({ revision }: Entry) => latest !== null && revision === latest.revision;

  /** The time of the last check that found the counter of changes unchanged since this key was read. */
  function knownAt(entry: Entry): number {
    return latest !== null && stands(entry) ? Math.max(entry.seenAt, latest.askedAt) : entry.seenAt;
  }

  /** Reads the counter of changes, once for all concurrent callers; never throws. */
  function confirm(): Promise<void> {
    const askedAt = clock();
    confirming ??= ask(keys.revision)
      .then((revision) => {
        latest = { revision, askedAt };
      }, failed)
      .finally(() => {
        confirming = null;
      });
    return confirming;
  }

  async function look(digest: string): Promise<KeyRecord | null> {
    const before = known.get(digest);
    if (latest === null) void confirm();
    else if (before !== undefined && stands(before)) {
      await confirm();
      const confirmed = cached(digest);
      if (confirmed !== undefined) return confirmed;
    }
    return read(digest);
  }

  async function read(digest: string): Promise<KeyRecord | null> {
    const askedAt = clock();
    const revision = latest?.revision ?? null;
    try {
      const key = await ask(() => keys.find(digest));
      if (key === null) {
        known.delete(digest);
        unknown.set(digest, askedAt);
      } else {
        unknown.delete(digest);
        known.set(digest, { key, seenAt: askedAt, revision });
      }
      return key;
    } catch (error) {
      failed(error);
      const entry = known.get(digest);
      if (entry !== undefined && askedAt - knownAt(entry) < OUTAGE_MS) return entry.key;
      throw new ProblemError('database_unavailable', {
        detail: 'The key cannot be looked up, since the database is unavailable. Retry later.',
        headers: { 'Retry-After': '5' },
        cause: error,
      });
    }
  }

  function once(
    running: Map<string, Promise<KeyRecord | null>>,
    digest: string,
    query: (digest: string) => Promise<KeyRecord | null>,
  ): Promise<KeyRecord | null> {
    let lookup = running.get(digest);
    if (lookup === undefined) {
      lookup = query(digest).finally(() => running.delete(digest));
      running.set(digest, lookup);
    }
    return lookup;
  }

  const find = (digest: string) => once(running, digest, look);

  /** The cached key if it is fresh enough; starts a check in the background if it is no longer quite fresh. */
  function cached(digest: string): KeyRecord | null | undefined {
    const now = clock();
    const entry = known.get(digest);
    if (entry === undefined) {
      const askedAt = unknown.get(digest);
      return askedAt !== undefined && now - askedAt < UNKNOWN_MS ? null : undefined;
    }
    const age = now - knownAt(entry);
    if (age < REFRESH_AFTER_MS) return entry.key;
    if (age >= WAIT_AFTER_MS && (reachable || age >= OUTAGE_MS)) return undefined;
    if (stands(entry)) void confirm();
    else find(digest).catch(() => undefined);
    return entry.key;
  }

  return {
    find,
    reread: (digest) => once(rereading, digest, read),
    forget: (digest) => void known.delete(digest),
    fresh: cached,
    healthy: () => reachable,
  };
}

async function answerOf<T>(lookup: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`timeout: the database did not respond within ${LOOKUP_MS} ms`)),
      LOOKUP_MS,
    );
  });
  return Promise.race([lookup, late]).finally(() => clearTimeout(timer));
}
