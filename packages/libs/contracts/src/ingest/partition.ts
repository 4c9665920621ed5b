import { FNV_OF_NOTHING, fnvWith } from '../values/fnv.ts';

/** The organization whose hash is cached, because all payloads of a request belong to one organization. */
let knownOrganization = '';
let knownHash = fnvWith(FNV_OF_NOTHING, '/');

/**
 * The partition of a host's samples, 0 to `count` - 1: FNV-1a over organization and host. It never changes for a given
 * count, since that would break the order of a host's samples.
 */
export function partitionOf(organizationId: string, host: string, count: number): number {
  if (organizationId !== knownOrganization) {
    knownHash = fnvWith(FNV_OF_NOTHING, `${organizationId}/`);
    knownOrganization = organizationId;
  }
  let hash = fnvWith(knownHash, host);
  // Mixes high bits into the low ones, because FNV-1a alone spreads names that differ in one digit badly.
  hash ^= hash >>> 16;
  return (hash >>> 0) % count;
}
