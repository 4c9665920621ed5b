import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { Place } from './series-columns.ts';

/** A number for each slot of each block; the parts of a host share blocks. */
export function slotKey({ blockId, slot }: Place): number {
  return blockId * SLOTS_PER_BLOCK + slot;
}
