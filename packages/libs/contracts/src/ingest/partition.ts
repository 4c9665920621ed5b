const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The organization whose hash is cached, because all payloads of a request belong to one organization. */
let knownOrganization = '';
let knownHash = withText(OFFSET_BASIS, '/');

function withText(hash: number, text: string): number {
  let next = hash;
  for (let index = 0; index < text.length; index += 1) next = Math.imul(next ^ text.charCodeAt(index), PRIME);
  return next;
}

/**
 * The partition of a host's samples, 0 to `count` - 1: FNV-1a over organization and host. It never changes for a given
 * count, since that would break the order of a host's samples.
 */
export function partitionOf(organizationId: string, host: string, count: number): number {
  if (organizationId !== knownOrganization) {
    knownHash = withText(OFFSET_BASIS, `${organizationId}/`);
    knownOrganization = organizationId;
  }
  let hash = withText(knownHash, host);
  // Mixes high bits into the low ones, because FNV-1a alone spreads names that differ in one digit badly.
  hash ^= hash >>> 16;
  return (hash >>> 0) % count;
}
