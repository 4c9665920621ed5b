export const SLOTS_PER_BLOCK = 16;

/** The ordinal of a block among the blocks of its subject, computed from the place of a metric. */
export const ordinalOf = (place: number): number => Math.floor(place / SLOTS_PER_BLOCK);

/** The slot, 0 to 15, within the block, computed from the place of a metric. */
export const slotOf = (place: number): number => place % SLOTS_PER_BLOCK;

/**
 * Assigns places (ordinal of the block times sixteen, plus the slot) to metrics that have none, in the given order, after
 * the last place in use. A place is kept for life and never reused. Returns the new places only; duplicate names count
 * once. A place is a plain number because a writer holds one for every series.
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
