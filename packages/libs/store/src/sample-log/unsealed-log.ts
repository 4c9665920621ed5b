import type { Queryable } from '@tidewatch/database/connection';
import { LOG_BUCKETS, MIXED_BUCKET } from './buckets.ts';

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

/**
 * Divides buckets into groups that are sealed together, each of at most `maxBytes` unless one bucket has more. Where everything
 * fits into one group the mixed bucket is among them; otherwise it is sorted first, and what it has is spread over all buckets.
 */
export function sealGroups(unsealed: readonly UnsealedBucket[], maxBytes: number): number[][] {
  const total = unsealed.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return unsealed.length > 0 ? [unsealed.map(({ bucket }) => bucket)] : [];
  const sizes = new Map(unsealed.map(({ bucket, bytes }) => [bucket, bytes]));
  // Those that were sealed last have little yet, and will have as much as the others when it is their turn.
  const expected = (2 * total) / LOG_BUCKETS;
  const groups: number[][] = [];
  let room = 0;
  for (let bucket = 0; bucket < LOG_BUCKETS; bucket += 1) {
    if (!sizes.has(bucket) && !sizes.has(MIXED_BUCKET)) continue;
    const bytes = Math.max(sizes.get(bucket) ?? 0, expected);
    if (bytes > room) {
      groups.push([]);
      room = maxBytes;
    }
    groups.at(-1)?.push(bucket);
    room -= bytes;
  }
  return groups;
}
