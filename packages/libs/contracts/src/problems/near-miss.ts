/** The max number of letters in which a misspelling differs. */
const MAX_DISTANCE = 2;

/**
 * The candidate of which `name` may be a misspelling: it differs in case and separators, in at most two letters, or in the
 * ending. Names with other numbers, such as `eth0` and `eth1`, are different names. Undefined if there is none.
 */
export function nearMiss(name: string, candidates: readonly string[]): string | undefined {
  const plain = plainName(name);
  if (plain === '' || plain.length > 64) return undefined;
  let nearest: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = distanceOf(plain, plainName(candidate));
    if (distance !== undefined && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { candidate, distance };
  }
  return nearest?.candidate;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function distanceOf(one: string, other: string): number | undefined {
  if (one === other) return 0;
  if (one.replace(/[^0-9]/g, '') !== other.replace(/[^0-9]/g, '')) return undefined;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= 3 && long.startsWith(short) && long.length - short.length <= 4) return 1;
  if (long.length - short.length > MAX_DISTANCE) return undefined;
  const distance = edits(one, other);
  return distance <= Math.min(MAX_DISTANCE, Math.max(1, Math.floor(long.length / 3))) ? distance : undefined;
}

/** The number of letters to insert, delete, replace or swap with a neighbour (optimal string alignment). */
function edits(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      let cost = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] as number) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[other.length] as number;
}
