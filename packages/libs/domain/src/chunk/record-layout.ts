import { ordinalOf, slotOf } from '../series/slots.ts';

/**
 * In which order the values of a payload are written, the same for all payloads with the same metrics at the same places:
 * `order` has the index of each value, in order of blocks and slots; `ends` has the number of values up to the end of each block.
 */
export interface RecordLayout {
  /** The ordinals of the blocks with values, ascending. */
  ordinals: readonly number[];
  /** Bit n is set if slot n of the block has a value. */
  masks: readonly number[];
  ends: readonly number[];
  order: readonly number[];
}

/** Lays values out by their places (ordinal * 16 + slot). Of values with the same place the last one counts. */
export function layOutRecord(places: readonly number[]): RecordLayout {
  const indexes = new Map(places.map((place, index) => [place, index]));
  const ordinals: number[] = [];
  const masks: number[] = [];
  const ends: number[] = [];
  const order: number[] = [];
  for (const place of [...indexes.keys()].sort((a, b) => a - b)) {
    if (ordinals.at(-1) !== ordinalOf(place)) {
      ordinals.push(ordinalOf(place));
      masks.push(0);
      ends.push(order.length);
    }
    order.push(indexes.get(place) as number);
    const block = ordinals.length - 1;
    masks[block] = (masks[block] as number) | (1 << slotOf(place));
    ends[block] = order.length;
  }
  return { ordinals, masks, ends, order };
}
