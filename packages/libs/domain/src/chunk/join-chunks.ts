import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { type ChunkColumns, ChunkReader } from './chunk.ts';

/** Joins chunks of one block after another, to be added in order of time, in memory that is used again. */
export class ChunkJoin {
  #rows = 0;
  /** The slots that any chunk has. */
  #mask = 0;
  #times = new Float64Array(0);
  readonly #slots = Array.from({ length: SLOTS_PER_BLOCK }, () => new Float64Array(0));
  /** The chunks that were left out because they are damaged. */
  readonly damaged: { bytes: Buffer; error: MalformedBytesError }[] = [];

  /** Begins with another block. */
  clear(): void {
    this.#rows = 0;
    this.#mask = 0;
    this.damaged.length = 0;
  }

  /** Adds a chunk, and leaves it out if it cannot be read whole. Throws RangeError if it overlaps the one before. */
  add(bytes: Buffer): void {
    let added: { count: number; mask: number };
    try {
      added = this.#read(new ChunkReader(bytes));
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      this.damaged.push({ bytes, error });
      return;
    }
    const { count, mask } = added;
    if (this.#rows > 0 && (this.#times[this.#rows] as number) <= (this.#times[this.#rows - 1] as number))
      throw new RangeError('chunks of a block overlap');
    const rows = this.#rows + count;
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
      const isNew = (((mask & ~this.#mask) >> slot) & 1) === 1;
      const isMissing = (((this.#mask & ~mask) >> slot) & 1) === 1;
      if (isNew) this.#slots[slot]?.fill(Number.NaN, 0, this.#rows);
      if (isMissing) this.#columnFor(slot, rows).fill(Number.NaN, this.#rows, rows);
    }
    this.#rows = rows;
    this.#mask |= mask;
  }

  /** All rows, valid until the next call of `clear` or `add`; null if no chunk could be read. */
  columns(): ChunkColumns | null {
    const rows = this.#rows;
    if (rows === 0) return null;
    const slots = this.#slots.map((column, slot) =>
      (this.#mask >> slot) & 1 ? column.subarray(0, rows) : null,
    );
    return { times: this.#times.subarray(0, rows), slots };
  }

  /** Reads a chunk behind the rows so far, which do not count it yet. */
  #read(reader: ChunkReader): { count: number; mask: number } {
    const { count, mask } = reader;
    const rows = this.#rows + count;
    this.#times = withRoom(this.#times, rows, this.#rows);
    reader.copyTimes(this.#times, this.#rows);
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1)
      if ((mask >> slot) & 1) reader.copySlot(slot, this.#columnFor(slot, rows), this.#rows);
    return { count, mask };
  }

  /** The column of a slot, with room for `rows`. */
  #columnFor(slot: number, rows: number): Float64Array {
    const column = withRoom(this.#slots[slot] as Float64Array<ArrayBuffer>, rows, this.#rows);
    this.#slots[slot] = column;
    return column;
  }
}

function withRoom(column: Float64Array<ArrayBuffer>, rows: number, taken: number): Float64Array<ArrayBuffer> {
  if (rows <= column.length) return column;
  const wider = new Float64Array(Math.max(rows, 2 * column.length));
  wider.set(column.subarray(0, taken));
  return wider;
}
