export const SLOTS_PER_BLOCK = 16;

/** The ordinal, among its subject's blocks, of the block that a place lies in. */
export const ordinalOf = (place: number): number => Math.floor(place / SLOTS_PER_BLOCK);

/** The slot, 0 to 15, of a place within its block. */
export const slotOf = (place: number): number => place % SLOTS_PER_BLOCK;

/**
 * Places for the metrics that have none yet, in the order given, after the last place taken: the ordinal of a block
 * times sixteen, plus a slot of it. A plain number, since a fleet's writer holds one for every series.
 * A metric keeps its place for life and no place is ever handed out twice, so the outcome may be stored as it is.
 * Returns only the new ones; metrics named twice count once.
 */
export function assignSlots(
  taken: ReadonlyMap<string, number>,
  metrics: Iterable<string>,
): Map<string, number> {
  const added = new Map<string, number>();
  let next = -1;
  for (const metric of metrics) {
    if (taken.has(metric) || added.has(metric)) continue;
    if (next < 0) next = firstFree(taken);
    added.set(metric, next);
    next += 1;
  }
  return added;
}

function firstFree(taken: ReadonlyMap<string, number>): number {
  let free = 0;
  for (const place of taken.values()) free = Math.max(free, place + 1);
  return free;
}
