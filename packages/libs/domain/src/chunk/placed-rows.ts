import type { ChunkColumns } from './chunk.ts';
import { ColumnMemory } from './column-memory.ts';
import type { PlacedRecord } from './indexed-log-rows.ts';
import { decodeRow, decodeValue, placeBlocks } from './log-record.ts';

/** The rows of one block, linked in the order in which they were added. */
interface BlockRows {
  first: number;
  last: number;
  count: number;
  earliest: number;
  latest: number;
  /** The slots that any row has, and those that every row has. */
  mask: number;
  common: number;
  /** Whether each row is later than the one before. */
  isAscending: boolean;
}

const NONE = -1;
const MIN_ROWS = 256;

/**
 * Knows where records of the log have the rows of blocks, and decodes what is asked for: few of the slots are. Rows are in order of time, and of
 * equal times the one with the later number counts, slot by slot; of equal numbers the one that was added later. Takes 34 bytes for a row, and
 * the bytes of the records.
 */
export class PlacedRows {
  readonly #blocks = new Map<number, BlockRows>();
  #sources: Buffer[] = [];
  #rows = 0;
  #samples = 0;
  #times = new Float64Array(MIN_ROWS);
  #seqs = new Float64Array(MIN_ROWS);
  #sourceOf = new Int32Array(MIN_ROWS);
  /** Where the values of each row begin, and where its record ends. */
  #starts = new Int32Array(MIN_ROWS);
  #ends = new Int32Array(MIN_ROWS);
  #next = new Int32Array(MIN_ROWS);
  #masks = new Uint16Array(MIN_ROWS);
  /** The record that is being added. */
  #seq = 0;
  #end = 0;

  /** How many values the rows have. */
  get samples(): number {
    return this.#samples;
  }

  /** Removes all rows, and keeps the memory. */
  clear(): void {
    this.#blocks.clear();
    this.#sources = [];
    this.#rows = 0;
    this.#samples = 0;
  }

  /** The blocks that have rows, in ascending order. */
  blockIds(): number[] {
    return [...this.#blocks.keys()].sort((a, b) => a - b);
  }

  /**
   * The times of the earliest, the latest and the last added row of a block, ms, and which slots have values in any of its rows, a bit for
   * each. Throws RangeError for a block without rows.
   */
  summaryOf(blockId: number): { earliest: number; latest: number; added: number; mask: number } {
    const { earliest, latest, last, mask } = this.#rowsOf(blockId);
    return { earliest, latest, added: this.#times[last] as number, mask };
  }

  /** Adds the rows of a record, or those of the first `max` blocks that `isWanted` accepts. Throws MalformedBytesError for a damaged record. */
  add(record: PlacedRecord, isWanted: ((blockId: number) => boolean) | null = null, max?: number): void {
    if (this.#sources.at(-1) !== record.bytes) this.#sources.push(record.bytes);
    this.#seq = record.seq;
    this.#end = record.end;
    placeBlocks(record, this.#addBlock, isWanted, max);
  }

  has(blockId: number): boolean {
    return this.#blocks.has(blockId);
  }

  /** Whether a block has a row in `[from, to)`, ms. */
  hasRowsIn(blockId: number, from: number, to: number): boolean {
    const block = this.#blocks.get(blockId);
    if (block === undefined || block.latest < from || block.earliest >= to) return false;
    if (block.earliest >= from || block.latest < to) return true;
    for (let row = block.first; row !== NONE; row = this.#next[row] as number) {
      const time = this.#times[row] as number;
      if (time >= from && time < to) return true;
    }
    return false;
  }

  /** The numbers of a slot, NaN where a row has none, with the times of the rows, each once. Throws RangeError for a block without rows. */
  slotOf(blockId: number, slot: number): { times: Float64Array; numbers: Float64Array } {
    const block = this.#rowsOf(blockId);
    const order = block.isAscending ? null : this.#orderOf(block);
    const count = order === null ? block.count : this.#countTimes(order);
    const times = new Float64Array(count);
    const numbers = new Float64Array(count).fill(Number.NaN);
    this.#visit(block, order, (row, place) => {
      times[place] = this.#times[row] as number;
      const mask = this.#masks[row] as number;
      if (((mask >> slot) & 1) === 0) return;
      const [start, end] = [this.#starts[row] as number, this.#ends[row] as number];
      numbers[place] = decodeValue(this.#bytesOf(row), start, end, mask, slot);
    });
    return { times, numbers };
  }

  /** The columns of all slots of a block, in `memory`, which may be used again. Throws RangeError for a block without rows. */
  columnsOf(blockId: number, memory = new ColumnMemory()): ChunkColumns {
    const block = this.#rowsOf(blockId);
    const order = block.isAscending ? null : this.#orderOf(block);
    const count = order === null ? block.count : this.#countTimes(order);
    const columns = memory.open(count, block.mask, block.common);
    const { times, slots } = columns;
    this.#visit(block, order, (row, place) => {
      times[place] = this.#times[row] as number;
      const mask = this.#masks[row] as number;
      decodeRow(
        this.#bytesOf(row),
        this.#starts[row] as number,
        this.#ends[row] as number,
        mask,
        slots,
        place,
      );
    });
    return columns;
  }

  /** The times of the rows of a block, ms, each once. Throws RangeError for a block without rows. */
  timesOf(blockId: number): Float64Array {
    const block = this.#rowsOf(blockId);
    const order = block.isAscending ? null : this.#orderOf(block);
    const times = new Float64Array(order === null ? block.count : this.#countTimes(order));
    this.#visit(block, order, (row, place) => {
      times[place] = this.#times[row] as number;
    });
    return times;
  }

  /** Calls `visit` for each row of a block in the order in which they count, with its place among the times. */
  #visit(block: BlockRows, order: Int32Array | null, visit: (row: number, place: number) => void): void {
    if (order === null) {
      for (let row = block.first, place = 0; row !== NONE; row = this.#next[row] as number)
        visit(row, place++);
      return;
    }
    let place = -1;
    let before = Number.NaN;
    for (const row of order) {
      const time = this.#times[row] as number;
      if (time !== before) place += 1;
      before = time;
      visit(row, place);
    }
  }

  /** The rows of a block in the order in which they count. */
  #orderOf({ first, count }: BlockRows): Int32Array {
    const [times, seqs] = [this.#times, this.#seqs];
    const order = new Int32Array(count);
    for (let row = first, at = 0; row !== NONE; row = this.#next[row] as number) order[at++] = row;
    const differ = (column: Float64Array, a: number, b: number) =>
      (column[a] as number) - (column[b] as number);
    return order.sort((a, b) => differ(times, a, b) || differ(seqs, a, b) || a - b);
  }

  #countTimes(order: Int32Array): number {
    let count = 0;
    let before = Number.NaN;
    for (const row of order) {
      const time = this.#times[row] as number;
      if (time !== before) count += 1;
      before = time;
    }
    return count;
  }

  #bytesOf(row: number): Buffer {
    return this.#sources[this.#sourceOf[row] as number] as Buffer;
  }

  readonly #addBlock = (id: number, time: number, mask: number, start: number): void => {
    if (mask === 0) return;
    this.#samples += countBits(mask);
    if (this.#rows === this.#times.length) this.#grow();
    const row = this.#rows++;
    this.#times[row] = time;
    this.#seqs[row] = this.#seq;
    this.#sourceOf[row] = this.#sources.length - 1;
    this.#starts[row] = start;
    this.#ends[row] = this.#end;
    this.#masks[row] = mask;
    this.#next[row] = NONE;
    const block = this.#blocks.get(id);
    if (block === undefined) {
      const times = { earliest: time, latest: time, isAscending: true };
      this.#blocks.set(id, { first: row, last: row, count: 1, mask, common: mask, ...times });
      return;
    }
    this.#next[block.last] = row;
    if (time <= block.latest) block.isAscending = false;
    else block.latest = time;
    if (time < block.earliest) block.earliest = time;
    block.last = row;
    block.count += 1;
    block.mask |= mask;
    block.common &= mask;
  };

  #rowsOf(blockId: number): BlockRows {
    const block = this.#blocks.get(blockId);
    if (block === undefined) throw new RangeError(`no rows of block ${blockId} were placed`);
    return block;
  }

  #grow(): void {
    const capacity = this.#times.length * 2;
    this.#times = moved(this.#times, new Float64Array(capacity));
    this.#seqs = moved(this.#seqs, new Float64Array(capacity));
    this.#sourceOf = moved(this.#sourceOf, new Int32Array(capacity));
    this.#starts = moved(this.#starts, new Int32Array(capacity));
    this.#ends = moved(this.#ends, new Int32Array(capacity));
    this.#next = moved(this.#next, new Int32Array(capacity));
    this.#masks = moved(this.#masks, new Uint16Array(capacity));
  }
}

/** How many of sixteen bits are set. */
function countBits(mask: number): number {
  const twos = mask - ((mask >> 1) & 0x5555);
  const fours = (twos & 0x3333) + ((twos >> 2) & 0x3333);
  const eights = (fours + (fours >> 4)) & 0x0f0f;
  return (eights + (eights >> 8)) & 0x1f;
}

function moved<N extends Float64Array | Uint16Array | Int32Array>(from: N, to: N): N {
  to.set(from);
  return to;
}
