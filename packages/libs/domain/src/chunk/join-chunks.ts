import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { type ChunkColumns, decodeChunk } from './chunk.ts';

/** Joins chunks of one block, to be added in order of time. */
export class ChunkJoin {
  readonly #parts: ChunkColumns[] = [];
  /** The chunks that were left out because they are damaged. */
  readonly damaged: { bytes: Buffer; error: MalformedBytesError }[] = [];

  /** Adds a chunk, and leaves it out if it cannot be read whole. Throws RangeError if it overlaps the one before. */
  add(bytes: Buffer): void {
    const before = this.#parts.at(-1)?.times.at(-1) ?? Number.NEGATIVE_INFINITY;
    let part: ChunkColumns;
    try {
      part = decodeChunk(bytes);
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      this.damaged.push({ bytes, error });
      return;
    }
    if ((part.times[0] as number) <= before) throw new RangeError('chunks of a block overlap');
    this.#parts.push(part);
  }

  /** All rows; null if no chunk could be read. */
  columns(): ChunkColumns | null {
    return this.#parts.length === 0 ? null : joinColumns(this.#parts);
  }
}

function joinColumns(parts: readonly ChunkColumns[]): ChunkColumns {
  const count = parts.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(count);
  const slots: (Float64Array | null)[] = new Array(SLOTS_PER_BLOCK).fill(null);
  let start = 0;
  for (const part of parts) {
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
