import type { Queryable } from '@tidewatch/database/connection';
import { bucketsOfShared, LOG_BUCKETS, MIXED_BUCKET, SHARED_BUCKETS } from './buckets.ts';

/** What a bucket of the log holds that is not sealed yet. */
export interface UnsealedBucket {
  bucket: number;
  bytes: number;
  /** When the oldest of its rows was written, at the earliest; ms. */
  since: number;
}

/** Reads how much of the log is not sealed; buckets without rows are left out. Reads every row of the log, without its data. */
export function readUnsealed(sql: Queryable): Promise<UnsealedBucket[]> {
  // A row cannot be older than the last seal of its bucket, nor, where clocks are right, than its samples.
  return sql<UnsealedBucket[]>`
    select l.bucket, l.bytes, greatest(l.last, b.sealed_at) as since
    from (
      select bucket, sum(octet_length(data))::float8 as bytes, min(last) as last from sample_log group by bucket
    ) l
    left join sample_buckets b on b.bucket = l.bucket
    order by l.bucket`;
}

/** What is to be sealed, as it was measured. */
export interface SealExtent {
  /** The most that is sealed at once, bytes. */
  maxBytes: number;
  /** Whether the log grows by as much again until it is sealed, which is spread over the time in which it grew. */
  isGrowing: boolean;
}

/** Whether the mixed bucket has to be sorted before others are sealed: where not everything is sealed at once. */
export function needsSorting(
  unsealed: readonly UnsealedBucket[],
  { maxBytes, isGrowing }: SealExtent,
): boolean {
  const measured = new MeasuredLog(unsealed, isGrowing);
  return measured.total > maxBytes && measured.has(MIXED_BUCKET);
}

/** The groups that are sealed at once, before their turn, since every question about a host reads its shared bucket. */
export function largeGroups(unsealed: readonly UnsealedBucket[], maxBytes: number): number[][] {
  const large = unsealed.filter(({ bucket, bytes }) => bucket < MIXED_BUCKET && bytes > maxBytes);
  return large.map(({ bucket }) => groupOfShared(bucket));
}

const groupOfShared = (shared: number): number[] => [shared, ...bucketsOfShared(shared)];

/**
 * Divides buckets into groups that are sealed together, each of at most `maxBytes` unless a shared bucket and those that share it, or
 * one of these where it has nothing, have more. Where everything fits into one group the mixed bucket is among them; otherwise it is sorted
 * first, and what it has is spread over all buckets.
 */
export function sealGroups(unsealed: readonly UnsealedBucket[], extent: SealExtent): number[][] {
  const measured = new MeasuredLog(unsealed, extent.isGrowing);
  if (measured.total <= extent.maxBytes)
    return unsealed.length > 0 ? [unsealed.map(({ bucket }) => bucket)] : [];
  const groups: number[][] = [];
  let room = 0;
  const add = (buckets: readonly number[], bytes: number) => {
    if (![MIXED_BUCKET, ...buckets].some((bucket) => measured.has(bucket))) return;
    if (bytes > room) {
      groups.push([]);
      room = extent.maxBytes;
    }
    groups.at(-1)?.push(...buckets);
    room -= bytes;
  };
  for (const shared of SHARED_BUCKETS) {
    const buckets = bucketsOfShared(shared);
    const bytes = measured.bytesWithShared(shared);
    if (bytes <= extent.maxBytes || measured.has(shared)) add(groupOfShared(shared), bytes);
    else for (const bucket of buckets) add([bucket], measured.bytesOf(bucket));
  }
  return groups;
}

class MeasuredLog {
  readonly #sizes: ReadonlyMap<number, number>;
  readonly total: number;
  /** What a bucket has on average when it is its turn: those that were sealed last have little yet, and will have as much as the others. */
  readonly #expected: number;

  constructor(unsealed: readonly UnsealedBucket[], isGrowing: boolean) {
    this.#sizes = new Map(unsealed.map(({ bucket, bytes }) => [bucket, bytes]));
    this.total = unsealed.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#expected = isGrowing ? (2 * this.total) / LOG_BUCKETS : 0;
  }

  has(bucket: number): boolean {
    return this.#sizes.has(bucket);
  }

  bytesOf(bucket: number): number {
    return Math.max(this.#sizes.get(bucket) ?? 0, this.#expected);
  }

  /** The bytes of a shared bucket and of those that share it. */
  bytesWithShared(shared: number): number {
    const buckets = bucketsOfShared(shared);
    const own = [shared, ...buckets].reduce((sum, bucket) => sum + (this.#sizes.get(bucket) ?? 0), 0);
    return Math.max(own, buckets.length * this.#expected);
  }
}
