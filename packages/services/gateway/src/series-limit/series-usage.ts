import { setTimeout as sleep } from 'node:timers/promises';
import type { SeriesStore } from './series-store.ts';

export interface SeriesUsageOptions {
  organizationId: string;
  store: Pick<SeriesStore, 'count'>;
  /** How long after a payload was published a count may still lack it, ms. */
  settleMs: number;
  /** Milliseconds of a clock that is never set. */
  monotonic: () => number;
  /** Told of each count. */
  onCount(counted: number): void;
  onFault(error: unknown): void;
}

/** Longest wait for a count, ms; without one nothing is refused. */
const COUNT_WITHIN_MS = 1_500;
/** A count takes at most this part of the time, */
const SHARE = 50;
/** but nobody waits longer for the next one, ms. */
const MAX_REST_MS = 1_000;
/** Publications within so many ms are remembered as one. */
const TOGETHER_MS = 5;

/**
 * How many series an organization has at most: those that were counted last, and those that were admitted here since, of
 * which the count may lack any.
 */
export class SeriesUsage {
  readonly #options: SeriesUsageOptions;
  #counted: number | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #counting: Promise<void> | null = null;
  #underWay = 0;
  /** Those that were published from `from` to `until`, in order. */
  #published: { from: number; until: number; series: number }[] = [];
  #publishedSum = 0;

  constructor(options: SeriesUsageOptions) {
    this.#options = options;
  }

  /** null while they were never counted. */
  get counted(): number | null {
    return this.#counted;
  }

  /** null while they were never counted: nothing can be refused then. */
  get most(): number | null {
    return this.#counted === null ? null : this.#counted + this.since;
  }

  /** Those that were admitted here, of which the count may lack any. */
  get since(): number {
    return this.#underWay + this.#publishedSum;
  }

  /** ms since the last count was begun. */
  get age(): number {
    return this.#options.monotonic() - this.#askedAt;
  }

  /** Holds `series` to be there until a count has them; to be called with the outcome of their publication. */
  reserve(series: number): () => void {
    this.#underWay += series;
    return () => {
      this.#underWay -= series;
      const now = this.#options.monotonic();
      const last = this.#published.at(-1);
      if (last === undefined || now - last.from > TOGETHER_MS) {
        this.#published.push({ from: now, until: now, series });
      } else {
        last.until = now;
        last.series += series;
      }
      this.#publishedSum += series;
    };
  }

  /** Counts anew unless a count is under way or younger than `youngestMs`; nobody is to wait for it. */
  refresh(youngestMs: number): void {
    if (this.age >= Math.max(youngestMs, this.#tookMs * SHARE)) void this.#begin();
  }

  /**
   * Resolves once a count has ended that was begun after the call, or after a second and a half. Counts follow one
   * another with rests between them, so it may take a second until one begins.
   */
  async recount(): Promise<void> {
    const asked = this.#options.monotonic();
    const counted = async () => {
      while (this.#askedAt < asked || this.#counting !== null) {
        const rest = Math.min(this.#tookMs * SHARE, MAX_REST_MS) - this.age;
        if (this.#counting === null && rest > 0) await sleep(rest);
        await this.#begin();
      }
    };
    await withinMs(counted(), COUNT_WITHIN_MS);
  }

  #begin(): Promise<void> {
    this.#counting ??= this.#count().finally(() => {
      this.#counting = null;
    });
    return this.#counting;
  }

  async #count(): Promise<void> {
    const { store, organizationId, settleMs, monotonic, onCount, onFault } = this.#options;
    this.#askedAt = monotonic();
    const seenUntil = this.#askedAt - settleMs;
    try {
      this.#counted = await store.count(organizationId);
    } catch (error) {
      onFault(error);
      return;
    }
    this.#tookMs = monotonic() - this.#askedAt;
    this.#published = this.#published.filter(({ until }) => until > seenUntil);
    this.#publishedSum = this.#published.reduce((sum, { series }) => sum + series, 0);
    onCount(this.#counted);
  }
}

async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
