/**
 * The partition of a host's samples, 0 to `count` - 1: FNV-1a over organization and host. It never changes for a
 * given count, since the order of a host's samples rests on it.
 */
export function partitionOf(organizationId: string, host: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < organizationId.length; index += 1) {
    hash = Math.imul(hash ^ organizationId.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ 47, 0x01000193);
  for (let index = 0; index < host.length; index += 1) {
    hash = Math.imul(hash ^ host.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a alone spread names that differ in one digit badly.
  hash ^= hash >>> 16;
  return (hash >>> 0) % count;
}
