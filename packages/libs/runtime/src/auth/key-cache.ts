import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { MINUTE_MS } from '@tidewatch/contracts/values/duration';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../telemetry/logger.ts';

/** The store of keys. Both functions throw while it is unavailable. */
export interface KeySource {
  /** The key whose text has this SHA-256, 64 hex digits; null where there is none. */
  readonly find: (sha256: string) => Promise<KeyRecord | null>;
  /** A counter that every change of a key that is there raises. */
  readonly revision: () => Promise<number>;
}

/** What is known is used without a question for this long, then asked about beside the request that uses it. */
const REFRESH_AFTER_MS = 4_000;
/** From here on the request waits for the answer: a revoked key stops within ten seconds. */
const WAIT_AFTER_MS = 8_000;
/** A question without an answer for this long is one to a store that is away; so the wait stays within the ten seconds. */
const LOOKUP_MS = 1_500;
/** How long a key seen before goes on while the store cannot be asked. */
const OUTAGE_MS = 15 * MINUTE_MS;
const UNKNOWN_MS = 5_000;
/** A store that is away is asked no more than this at once: questions that it never answers would pile up. */
const MAX_UNANSWERED = 100;
const MAX_KNOWN = 50_000;
const MAX_UNKNOWN = 10_000;

interface Entry {
  readonly key: KeyRecord;
  readonly seenAt: number;
  /** What was known of the counter of changes before the key was read; null where nothing was. */
  readonly revision: number | null;
}

export interface KeyCache {
  /** The key or its absence, where that is known well enough; undefined: `find` has to be asked. */
  fresh(digest: string): KeyRecord | null | undefined;
  /** Throws `database_unavailable` where the store cannot be asked and the key was not seen lately. */
  find(digest: string): Promise<KeyRecord | null>;
  healthy(): boolean;
}

/**
 * Keys by digest. One that is known stays as it is while the counter of changes stands still, so that one question every few
 * seconds serves all of them; once it moves, each is looked up again at its next use. Bounded: fifty thousand known keys,
 * and apart from them ten thousand unknown ones, so that guesses evict no key.
 */
export function createKeyCache(options: { keys: KeySource; clock: () => number; logger: Logger }): KeyCache {
  const { keys, clock, logger } = options;
  const known = new LRUCache<string, Entry>({ max: MAX_KNOWN });
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN });
  const running = new Map<string, Promise<KeyRecord | null>>();
  let confirming: Promise<void> | null = null;
  let latest: { revision: number; askedAt: number } | null = null;
  let reachable = true;
  let unanswered = 0;

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    if (!reachable && unanswered >= MAX_UNANSWERED) throw new Error('too many look-ups wait already');
    unanswered += 1;
    const answer = question().finally(() => {
      unanswered -= 1;
    });
    const answered = await answerOf(answer);
    if (!reachable) logger.info('keys can be looked up again');
    reachable = true;
    return answered;
  }

  function failed(error: unknown): void {
    if (reachable) logger.warn({ err: error }, 'keys cannot be looked up; those seen before go on');
    reachable = false;
  }

  const stands = ({ revision }: Entry) => latest !== null && revision === latest.revision;

  /** Since when nothing is known to have changed. */
  function knownAt(entry: Entry): number {
    return latest !== null && stands(entry) ? Math.max(entry.seenAt, latest.askedAt) : entry.seenAt;
  }

  /** Asks whether any key was changed, once for all that want to know; never throws. */
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

  /** What is known well enough to be used, asked about beside it where it begins to age. */
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

  return { find, fresh: cached, healthy: () => reachable };
}

async function answerOf<T>(lookup: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer for ${LOOKUP_MS} ms`)), LOOKUP_MS);
  });
  return Promise.race([lookup, late]).finally(() => clearTimeout(timer));
}
