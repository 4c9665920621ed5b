/** The place of a series. */
export interface BlockPlace {
  blockId: number;
  slot: number;
}

/** The max number of blocks that one statement reads, fewer if they have many steps or slots: the result is held in memory. */
const BLOCKS_AT_ONCE = 500;
const POINTS_AT_ONCE = 50_000;
/** From this number of blocks on, blocks with other slots are read by a statement of their own. */
const ENOUGH_BLOCKS = 100;

/**
 * Splits series into portions that one statement each reads. A statement reads the same slots of all of its blocks, so blocks are
 * ordered by their slots; a block is read once, whatever number of its slots are wanted.
 */
export function portionsOf<Place extends BlockPlace>(places: readonly Place[], steps: number): Place[][] {
  const blocks = [...Map.groupBy(places, ({ blockId }) => blockId).values()].map((own) => ({
    own,
    slots: own.map(({ slot }) => slot).sort((a, b) => a - b),
  }));
  const alike = [...Map.groupBy(blocks, ({ slots }) => slots.join()).values()];
  const portions: Place[][] = [];
  let portion: Place[] = [];
  let count = 0;
  let slots = new Set<number>();
  for (const same of alike) {
    if (count >= ENOUGH_BLOCKS) begin();
    for (const block of same) {
      const wanted = new Set([...slots, ...block.slots]);
      const points = (count + 1) * wanted.size * Math.max(1, steps);
      if (count > 0 && (count >= BLOCKS_AT_ONCE || points > POINTS_AT_ONCE)) begin();
      portion.push(...block.own);
      count += 1;
      slots = count === 1 ? new Set(block.slots) : wanted;
    }
  }
  begin();
  return portions;

  function begin(): void {
    if (count > 0) portions.push(portion);
    portion = [];
    count = 0;
    slots = new Set();
  }
}
