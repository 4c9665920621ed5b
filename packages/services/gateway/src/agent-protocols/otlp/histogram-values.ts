import { MAX_BUCKETS, toExplicitBounds, withoutBuckets } from '../points/exponential-buckets.ts';
import { NumberList } from '../points/number-list.ts';
import type { HistogramPoint } from '../series/sent-series.ts';

/** Buckets of an exponential histogram on one side of zero: the counts of those from `offset` on. */
export class ExponentialSide {
  offset = 0;
  readonly counts = new NumberList(MAX_BUCKETS);

  clear(): void {
    this.offset = 0;
    this.counts.clear();
  }

  /** Indexes and counts by turns. */
  list(): number[] {
    return this.counts.values.flatMap((count, index) => [this.offset + index, count]);
  }
}

/** What a point of a histogram of OTLP states, explicit or exponential. Counts are at least 0. */
export class HistogramValues {
  count = 0;
  sum: number | undefined;
  readonly bounds = new NumberList(MAX_BUCKETS);
  readonly counts = new NumberList(MAX_BUCKETS + 1);
  scale = 0;
  zeroCount = 0;
  zeroThreshold = 0;
  readonly positive = new ExponentialSide();
  readonly negative = new ExponentialSide();

  clear(): void {
    this.count = 0;
    this.sum = undefined;
    this.bounds.clear();
    this.counts.clear();
    this.scale = 0;
    this.zeroCount = 0;
    this.zeroThreshold = 0;
    this.positive.clear();
    this.negative.clear();
  }

  /** The point of an explicit histogram; undefined if its bounds are not in order or do not match its counts. */
  explicitPoint(): HistogramPoint | undefined {
    const { bounds, counts } = this;
    if (counts.length > 0 || bounds.length > 0)
      if (counts.length !== bounds.length + 1 || !bounds.isAscending) return undefined;
    if (bounds.length === 0 || !bounds.isWhole) return withoutBuckets(this.count, this.#finiteSum);
    return {
      count: this.count,
      sum: this.#finiteSum,
      bounds: bounds.values,
      counts: counts.values,
    };
  }

  /** The point of an exponential histogram; undefined if its bucket of zero has no width that is possible. */
  exponentialPoint(): HistogramPoint | undefined {
    const { count, scale, zeroCount, zeroThreshold, positive, negative } = this;
    if (!(zeroThreshold >= 0)) return undefined;
    const sum = this.#finiteSum;
    if (!positive.counts.isWhole || !negative.counts.isWhole) return withoutBuckets(count, sum);
    const buckets = { positive: positive.list(), negative: negative.list() };
    return toExplicitBounds({ count, sum, scale, zeroCount, zeroThreshold, ...buckets });
  }

  get #finiteSum(): number | undefined {
    return Number.isFinite(this.sum) ? this.sum : undefined;
  }
}
