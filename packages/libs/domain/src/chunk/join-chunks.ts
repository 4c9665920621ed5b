import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { type ChunkColumns, decodeChunk } from './chunk.ts';

export interface JoinedChunks {
  /** All rows; null if no chunk could be read. */
  columns: ChunkColumns | null;
  /** How many chunks were left out because they are damaged, and why the first of them was. */
  damaged: number;
  error: MalformedBytesError | null;
}

/**
 * Joins chunks of one block, which are in order of time and do not overlap. A chunk that cannot be read whole is left out.
 * Throws RangeError if chunks overlap.
 */
export function joinChunks(chunks: readonly Buffer[]): JoinedChunks {
  const joined: JoinedChunks = { columns: null, damaged: 0, error: null };
  const parts: ChunkColumns[] = [];
  for (const bytes of chunks) {
    try {
      parts.push(decodeChunk(bytes));
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      joined.damaged += 1;
      joined.error ??= error;
    }
  }
  if (parts.length > 0) joined.columns = joinColumns(parts);
  return joined;
}

function joinColumns(parts: readonly ChunkColumns[]): ChunkColumns {
  const count = parts.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(count);
  const slots: (Float64Array | null)[] = new Array(SLOTS_PER_BLOCK).fill(null);
  let start = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    if ((part.times[0] as number) <= before) throw new RangeError('chunks of a block overlap');
    before = part.times[part.times.length - 1] as number;
    times.set(part.times, start);
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
      const numbers = part.slots[slot] ?? null;
      if (numbers === null) continue;
      let column = slots[slot] ?? null;
      if (column === null) {
        column = new Float64Array(count).fill(Number.NaN);
        slots[slot] = column;
      }
      column.set(numbers, start);
    }
    start += part.times.length;
  }
  return { times, slots };
}
