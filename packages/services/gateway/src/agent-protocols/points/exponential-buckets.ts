import type { HistogramPoint } from '../series/sent-series.ts';

/** The max number of buckets that are kept; of a histogram with more, count and sum alone are. */
export const MAX_BUCKETS = 160;

/**
 * A histogram whose bounds are powers of 2^(2^-scale). Lists of buckets are indexes, ascending, and counts by turns; the bucket
 * with index `i` is above the power `i` and up to the power `i + 1`, or between their negatives.
 */
export interface ExponentialHistogram {
  count: number;
  sum: number | undefined;
  scale: number;
  /** Values whose distance from 0 is at most this are in the bucket of zero. */
  zeroThreshold: number;
  zeroCount: number;
  positive: readonly number[];
  negative: readonly number[];
}

/** A histogram of which only count and sum are known. */
export function withoutBuckets(count: number, sum: number | undefined): HistogramPoint {
  return { count, sum, bounds: [], counts: [] };
}

/** Lists buckets from the smallest to the largest; a gap between two becomes an empty bucket. */
class BucketList {
  readonly bounds: number[] = [];
  readonly counts: number[] = [];
  /** Whether all bounds were finite and in order. */
  isValid = true;

  add(lower: number, upper: number, count: number): void {
    const last = this.bounds.at(-1);
    if (last === undefined) this.#push(lower, 0);
    else if (lower > last) this.#push(lower, 0);
    if (upper > (this.bounds.at(-1) as number)) this.#push(upper, count);
    else this.isValid = false;
  }

  /** Adds the first bucket, which has no lower bound. */
  addFirst(upper: number, count: number): void {
    this.#push(upper, count);
  }

  /** Adds a bucket at zero of no width to what lies up to zero. */
  addZero(count: number): void {
    const last = this.bounds.at(-1) as number;
    if (last < 0) this.#push(0, count);
    else this.isValid = false;
  }

  #push(bound: number, count: number): void {
    if (!Number.isFinite(bound)) this.isValid = false;
    this.bounds.push(bound);
    this.counts.push(count);
  }
}

/** The histogram with explicit bounds; without buckets if there were more than `MAX_BUCKETS` or bounds beyond a double's range. */
export function toExplicitBounds(histogram: ExponentialHistogram): HistogramPoint {
  const { count, sum, scale, zeroThreshold, zeroCount, positive, negative } = histogram;
  if ((positive.length + negative.length) / 2 + 1 > MAX_BUCKETS) return withoutBuckets(count, sum);
  const step = 2 ** -scale;
  const list = new BucketList();
  for (let at = negative.length - 2; at >= 0; at -= 2) {
    const index = negative[at] as number;
    list.add(-(2 ** ((index + 1) * step)), -(2 ** (index * step)), negative[at + 1] as number);
  }
  if (negative.length === 0) list.addFirst(zeroThreshold, zeroCount);
  else if (zeroThreshold === 0) list.addZero(zeroCount);
  else list.add(Math.max(-zeroThreshold, list.bounds.at(-1) as number), zeroThreshold, zeroCount);
  for (let at = 0; at < positive.length; at += 2) {
    const index = positive[at] as number;
    list.add(2 ** (index * step), 2 ** ((index + 1) * step), positive[at + 1] as number);
  }
  if (!list.isValid || list.bounds.length > MAX_BUCKETS) return withoutBuckets(count, sum);
  return { count, sum, bounds: list.bounds, counts: [...list.counts, 0] };
}
