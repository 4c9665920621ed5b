export const SLOTS_PER_BLOCK = 16;

/** Where a metric of a subject lives: the block's ordinal among the subject's blocks, and a slot of 0 to 15 in it. */
export interface SlotPlace {
  ordinal: number;
  slot: number;
}

/**
 * Places for the metrics that have none yet, in the order given, after the last place taken.
 * A metric keeps its place for life and no place is ever handed out twice, so the outcome may be stored as it is.
 * Returns only the new ones; metrics named twice count once.
 */
export function assignSlots(
  taken: ReadonlyMap<string, SlotPlace>,
  metrics: Iterable<string>,
): Map<string, SlotPlace> {
  const added = new Map<string, SlotPlace>();
  let next = -1;
  for (const metric of metrics) {
    if (taken.has(metric) || added.has(metric)) continue;
    if (next < 0) next = firstFree(taken);
    added.set(metric, { ordinal: Math.floor(next / SLOTS_PER_BLOCK), slot: next % SLOTS_PER_BLOCK });
    next += 1;
  }
  return added;
}

function firstFree(taken: ReadonlyMap<string, SlotPlace>): number {
  let free = 0;
  for (const { ordinal, slot } of taken.values()) free = Math.max(free, ordinal * SLOTS_PER_BLOCK + slot + 1);
  return free;
}
