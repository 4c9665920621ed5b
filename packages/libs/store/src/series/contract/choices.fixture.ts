import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { Range } from '../series-columns.ts';

/** Random choices for questions to a reader. */
export class Choices {
  readonly random: () => number;
  readonly #now: number;
  readonly #times: readonly number[];

  /** `times`: those of samples within raw retention, ms. */
  constructor(random: () => number, now: number, times: readonly number[]) {
    this.random = random;
    this.#now = now;
    this.#times = times;
  }

  isTrue(share: number): boolean {
    return this.random() < share;
  }

  /** Some of all, at least one. */
  some<T>(all: readonly T[]): T[] {
    const share = this.random();
    const some = all.filter(() => this.random() < share);
    return some.length > 0 ? some : all.slice(0, 1);
  }

  one<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)] as T;
  }

  /** The time of some sample within raw retention, ms. */
  time(): number {
    return this.one(this.#times);
  }

  /** A range within raw retention; a long one begins before it, and is of whole days. */
  range(isLong: boolean): Range {
    const midnight = bucketOf(this.#now, DAY_MS);
    if (isLong)
      return { from: midnight - Math.floor(3 + 12 * this.random()) * DAY_MS, to: midnight + DAY_MS };
    const anywhere = midnight - Math.floor(this.random() * 14 * HOUR_MS);
    const nearSamples = this.time() - Math.floor(this.random() * 10 * MINUTE_MS);
    const from = this.one([anywhere, nearSamples, this.time()]);
    const lengths = [1, 15 * MINUTE_MS, HOUR_MS, 30 * HOUR_MS];
    const end = this.time();
    const endsAtSample = this.isTrue(0.3) && end > from;
    return { from, to: endsAtSample ? end : from + Math.ceil(this.random() * this.one(lengths)) };
  }

  /** The same of whole buckets. */
  wholeRange(isLong: boolean, widthMs: number): Range {
    const { from, to } = this.range(isLong);
    return { from: bucketOf(from, widthMs), to: bucketOf(to, widthMs) + widthMs };
  }
}
