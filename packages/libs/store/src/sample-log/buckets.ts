/** The number of buckets that services are divided into. */
export const LOG_BUCKETS = 256;
/** The bucket of small transactions, whose rows hold services of every bucket until they are sorted. */
export const MIXED_BUCKET = -1;
/** How many buckets that follow each other share one in which rows of larger transactions are. */
const BUCKETS_PER_SHARED = 16;
/** -2 … -17: their rows hold services of sixteen buckets, and are sealed with these, or sorted where there is too much of them. */
export const SHARED_BUCKETS: readonly number[] = Array.from(
  { length: LOG_BUCKETS / BUCKETS_PER_SHARED },
  (_, at) => MIXED_BUCKET - 1 - at,
);

/** The shared bucket of a bucket, 0 … 255. SQL of readers has the same. */
export const sharedBucketOf = (bucket: number): number =>
  MIXED_BUCKET - 1 - Math.floor(bucket / BUCKETS_PER_SHARED);

/** The buckets that share a bucket, ascending. */
export function bucketsOfShared(shared: number): number[] {
  const first = (MIXED_BUCKET - 1 - shared) * BUCKETS_PER_SHARED;
  return Array.from({ length: BUCKETS_PER_SHARED }, (_, at) => first + at);
}

/** The buckets whose rows may hold services of this one, 0 … 255. */
export const bucketsWith = (bucket: number): number[] => [MIXED_BUCKET, sharedBucketOf(bucket), bucket];

/** The bucket of a service, 0 … 255: FNV-1a of its id. Stored rows depend on it, so it never changes. */
export function logBucketOf(serviceId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < serviceId.length; at += 1)
    hash = Math.imul(hash ^ serviceId.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (LOG_BUCKETS - 1);
}
