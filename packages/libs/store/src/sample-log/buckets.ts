/** The number of buckets that services are divided into. */
export const LOG_BUCKETS = 256;
/** The bucket of small transactions, whose rows hold services of every bucket until they are sorted. */
export const MIXED_BUCKET = -1;

/** The bucket of a service, 0 … 255: FNV-1a of its id. Stored rows depend on it, so it never changes. */
export function logBucketOf(serviceId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < serviceId.length; at += 1)
    hash = Math.imul(hash ^ serviceId.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (LOG_BUCKETS - 1);
}
