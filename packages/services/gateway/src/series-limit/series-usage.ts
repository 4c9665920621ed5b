import { setTimeout as sleep } from 'node:timers/promises';
import type { SeriesStore } from './series-store.ts';

export interface SeriesUsageOptions {
  organizationId: string;
  store: Pick<SeriesStore, 'count'>;
  /** How long after its publication a payload may be missing from a count, ms. */
  settleMs: number;
  /** Milliseconds of a monotonic clock. */
  monotonic: () => number;
  /** Called after each count with the number of active series of the organization. */
  onCount(counted: number): void;
  onFault(error: unknown): void;
}

/** Maximum time to wait for a count, ms; without a count nothing is refused. */
const COUNT_WITHIN_MS = 1_500;
/** The share of time, one in so many, that counting may take. */
const SHARE = 50;
/** The max pause between two counts, ms. */
const MAX_REST_MS = 1_000;
/** Publications within this many ms are tracked as one. */
const TOGETHER_MS = 5;

/**
 * An upper bound of an organization's number of series: those of the last count, plus those accepted since, which the count
 * may lack.
 */
export class SeriesUsage {
  readonly #options: SeriesUsageOptions;
  #counted: number | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #counting: Promise<void> | null = null;
  #underWay = 0;
  /** Series that were published from `from` to `until`, in order. */
  #published: { from: number; until: number; series: number }[] = [];
  #publishedSum = 0;

  constructor(options: SeriesUsageOptions) {
    this.#options = options;
  }

  get organizationId(): string {
    return this.#options.organizationId;
  }

  /** The result of the last count; null before the first. */
  get counted(): number | null {
    return this.#counted;
  }

  /** The upper bound of the number of series; null before the first count, until which nothing is refused. */
  get most(): number | null {
    return this.#counted === null ? null : this.#counted + this.since;
  }

  /** Series that were admitted here and may be missing in the count. */
  get since(): number {
    return this.#underWay + this.#publishedSum;
  }

  /** Milliseconds since the last count began. */
  get age(): number {
    return this.#options.monotonic() - this.#askedAt;
  }

  /**
   * Adds `series` to the bound until a count includes them. The returned function must be called when their publication has
   * ended.
   */
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

  /** Starts a count unless one is in progress or younger than `youngestMs`. Does not wait for it. */
  refresh(youngestMs: number): void {
    if (this.age >= Math.max(youngestMs, this.#tookMs * SHARE)) void this.#begin();
  }

  /**
   * Resolves when a count that began after this call has ended, or after 1.5 s; there are pauses of up to a second between
   * counts.
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
