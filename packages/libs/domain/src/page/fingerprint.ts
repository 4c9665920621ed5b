const FNV_PRIME = 0x100000001b3n;
const FNV_OFFSET = 0xcbf29ce484222325n;

/**
 * A hash of a JSON value in sixteen hex digits: 64-bit FNV-1a (draft-eastlake-fnv) over its JSON in UTF-8. It detects
 * mistakes and is not secure against forgery.
 */
export function fingerprint(value: unknown): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(JSON.stringify(value))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  }
  return hash.toString(16).padStart(16, '0');
}
