import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The number of tokens taken, or how long it takes until the bucket has enough, ms. */
export type Grant = { granted: number } | { waitMs: number };

/** A bucket for each key, which fills at a constant rate and holds at most the tokens of a minute. */
export interface TokenBucket {
  /**
   * Takes `need` tokens and up to `more` in addition, or none if the bucket has less than `need`. More tokens than fit into
   * a bucket are taken from a full one, whose balance then becomes negative.
   */
  take(key: string, need: number, more: number): Promise<Grant>;
  /** The tokens of the bucket now; below zero after more were taken than fit. */
  level(key: string): Promise<number>;
}

/** Buckets in the memory of this process. `clock` in ms. */
export function createMemoryBucket(perMinute: number, clock: () => number): TokenBucket {
  const buckets = new Map<string, { level: number; at: number }>();
  const levelAt = (key: string, now: number): number => {
    const known = buckets.get(key);
    if (known === undefined) return perMinute;
    return Math.min(perMinute, known.level + (Math.max(0, now - known.at) * perMinute) / MINUTE_MS);
  };
  return {
    async take(key, need, more) {
      const now = clock();
      const level = levelAt(key, now);
      const least = Math.min(need, perMinute);
      if (level < least) return { waitMs: Math.ceil(((least - level) * MINUTE_MS) / perMinute) };
      const granted = need + Math.max(0, Math.min(more, Math.floor(level - need)));
      buckets.set(key, { level: level - granted, at: now });
      return { granted };
    },
    async level(key) {
      return levelAt(key, clock());
    },
  };
}
