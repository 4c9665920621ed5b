import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';

/** The maximum number of rows, so that a block id (below 2^31) times this is exact in a double. */
const MAX_ROWS = 2 ** 22;

/** The block of a row; its id may be assigned after the row was added. */
export interface RowBlock {
  id: number;
}

/** Rows of (block, time, sixteen slots) in flat arrays; an absent slot is NaN. */
export class SampleRows<B extends RowBlock> {
  length = 0;
  blocks: B[] = [];
  times = new Float64Array(1024);
  values = new Float64Array(1024 * 16).fill(Number.NaN);
  #sorted: Uint32Array | null = null;

  /** Adds an empty row and returns its index; slot `s` of row `r` is `values[r * 16 + s]`. */
  append(block: B, time: number): number {
    const row = this.length++;
    this.#sorted = null;
    if (row === this.times.length) this.#grow();
    this.blocks[row] = block;
    this.times[row] = time;
    return row;
  }

  /** Removes all rows, and keeps the memory unless it is far above the usual size. */
  clear(): void {
    if (this.times.length > 65_536) {
      this.times = new Float64Array(1024);
      this.values = new Float64Array(1024 * 16).fill(Number.NaN);
    } else {
      this.values.fill(Number.NaN, 0, this.length * 16);
    }
    this.blocks.length = 0;
    this.length = 0;
    this.#sorted = null;
  }

  /**
   * Row numbers ordered by block id and time, an order in which concurrent upserts cannot deadlock. Blocks must have their ids.
   * Cached until a row is added.
   */
  sorted(): Uint32Array {
    this.#sorted ??= this.#sort();
    return this.#sorted;
  }

  /**
   * Encodes the rows in `order` as (time, block_id, v0 … v15), in pieces that are each valid until the next is requested.
   */
  *encode(into: BinaryRows, order: Uint32Array): Generator<Uint8Array> {
    into.reset();
    for (const row of order) {
      if (into.isFull) yield into.take();
      into.row(18, 212);
      into.time(this.times[row] as number);
      into.int4((this.blocks[row] as B).id);
      into.slots(this.values, row * 16);
    }
    yield into.finish();
  }

  #sort(): Uint32Array {
    const { length, blocks, times } = this;
    // Sorts numbers that combine block id and row, since sorting without a comparator is several times faster.
    const keys = new Float64Array(length);
    for (let row = 0; row < length; row++) keys[row] = (blocks[row] as B).id * MAX_ROWS + row;
    keys.sort();
    const order = new Uint32Array(length);
    for (let at = 0; at < length; at++) order[at] = (keys[at] as number) % MAX_ROWS;
    // Within a block, rows are nearly always in order of time already.
    for (let start = 0, end = 0; start < length; start = end) {
      const block = blocks[order[start] as number];
      let inOrder = true;
      for (end = start + 1; end < length && blocks[order[end] as number] === block; end++) {
        if ((times[order[end] as number] as number) < (times[order[end - 1] as number] as number))
          inOrder = false;
      }
      if (!inOrder) order.subarray(start, end).sort((a, b) => (times[a] as number) - (times[b] as number));
    }
    return order;
  }

  #grow(): void {
    const times = new Float64Array(this.times.length * 2);
    times.set(this.times);
    const values = new Float64Array(times.length * 16).fill(Number.NaN);
    values.set(this.values);
    this.times = times;
    this.values = values;
  }
}
