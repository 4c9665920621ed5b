const FNV_PRIME = 0x100000001b3n;
const FNV_OFFSET = 0xcbf29ce484222325n;

/**
 * Sixteen hex digits that distinguish JSON values, against mistakes and not against malice: FNV-1a of 64 bits
 * (Fowler, Noll, Vo; draft-eastlake-fnv) over the UTF-8 of the value's JSON.
 */
export function fingerprint(value: unknown): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(JSON.stringify(value))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return hash.toString(16).padStart(16, '0');
}
