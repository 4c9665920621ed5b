/**
 * The options of a cache (`lru-cache`) of at most so many entries that has places for those alone that it has: one that is limited by
 * `max` allocates all places at once, some 20 bytes each, which is much where each organization has one.
 */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
