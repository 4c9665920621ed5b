import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import { LRUCache } from 'lru-cache';
import type { FindKey } from './authentication.ts';
import type { Logger } from './logger.ts';

/** A known key is used without a look for this long, then looked up beside the request that uses it. */
const REFRESH_AFTER_MS = 4_000;
/** From here on the request waits for the look-up: a revoked key stops within ten seconds. */
const WAIT_AFTER_MS = 8_000;
/** A look-up without an answer for this long is one of a store that is away; so the wait stays within the ten seconds. */
const LOOKUP_MS = 1_500;
/** How long a key seen before goes on while the store cannot be asked. */
const OUTAGE_MS = 15 * 60_000;
const UNKNOWN_MS = 5_000;
/** A store that is away is asked no more than this at once: questions that it never answers would pile up. */
const MOST_UNANSWERED = 100;

interface Entry {
  key: KeyRecord;
  seenAt: number;
}

export interface KeyCache {
  /** The key or its absence, where that is known well enough; undefined: `find` has to be asked. */
  fresh(digest: string): KeyRecord | null | undefined;
  find(digest: string): Promise<KeyRecord | null>;
  healthy(): boolean;
}

/** Bounded: ten thousand known keys, and apart from them ten thousand unknown ones, so that guesses evict no key. */
export function createKeyCache(options: { findKey: FindKey; clock: () => number; logger: Logger }): KeyCache {
  const { findKey, clock, logger } = options;
  const known = new LRUCache<string, Entry>({ max: 10_000 });
  const unknown = new LRUCache<string, number>({ max: 10_000 });
  const running = new Map<string, Promise<KeyRecord | null>>();
  let reachable = true;
  let unanswered = 0;

  async function ask(digest: string): Promise<KeyRecord | null> {
    if (!reachable && unanswered >= MOST_UNANSWERED) throw new Error('too many look-ups wait already');
    unanswered += 1;
    const lookup = findKey(digest).finally(() => {
      unanswered -= 1;
    });
    return answerOf(lookup);
  }

  async function look(digest: string): Promise<KeyRecord | null> {
    const askedAt = clock();
    try {
      const key = await ask(digest);
      if (!reachable) logger.info('keys can be looked up again');
      reachable = true;
      if (key === null) {
        known.delete(digest);
        unknown.set(digest, askedAt);
      } else {
        unknown.delete(digest);
        known.set(digest, { key, seenAt: askedAt });
      }
      return key;
    } catch (error) {
      if (reachable) logger.warn({ err: error }, 'keys cannot be looked up; those seen before go on');
      reachable = false;
      const entry = known.get(digest);
      if (entry !== undefined && askedAt - entry.seenAt < OUTAGE_MS) return entry.key;
      throw new ProblemError('database_unavailable', {
        detail: 'The key cannot be looked up at the moment.',
        headers: { 'Retry-After': '5' },
        cause: error,
      });
    }
  }

  function find(digest: string): Promise<KeyRecord | null> {
    let lookup = running.get(digest);
    if (lookup === undefined) {
      lookup = look(digest).finally(() => running.delete(digest));
      running.set(digest, lookup);
    }
    return lookup;
  }

  return {
    find,
    healthy: () => reachable,
    fresh(digest) {
      const now = clock();
      const entry = known.get(digest);
      if (entry === undefined) {
        const askedAt = unknown.get(digest);
        return askedAt !== undefined && now - askedAt < UNKNOWN_MS ? null : undefined;
      }
      const age = now - entry.seenAt;
      if (age < REFRESH_AFTER_MS) return entry.key;
      if (age < WAIT_AFTER_MS || (!reachable && age < OUTAGE_MS)) {
        find(digest).catch(() => undefined);
        return entry.key;
      }
      return undefined;
    },
  };
}

async function answerOf<T>(lookup: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer for ${LOOKUP_MS} ms`)), LOOKUP_MS);
  });
  return Promise.race([lookup, late]).finally(() => clearTimeout(timer));
}
