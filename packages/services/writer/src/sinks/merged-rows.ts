import { SampleRows } from '@tidewatch/store/samples/sample-rows';
import type { Block } from '../cache/block.ts';
import type { Subject } from '../cache/subject.ts';

/** Rows of which each block and time has one, in whatever order they come. */
export class MergedRows {
  readonly rows = new SampleRows<Block>();
  #known = new Map<Block, Map<number, number>>();

  clear(): void {
    this.rows.clear();
    this.#known = new Map();
  }

  /** Adds values of a subject, each at its place (ordinal * 16 + slot); `time` in ms. */
  add({ blocks }: Subject, places: readonly number[], values: readonly number[], time: number): void {
    let ordinal = -1;
    let row = 0;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      if (place >> 4 !== ordinal) {
        ordinal = place >> 4;
        row = this.rowOf(blocks[ordinal] as Block, time);
      }
      this.rows.values[row * 16 + (place & 15)] = values[index] as number;
    }
  }

  /** The index of the row of a block and time (ms), which is added if there is none. */
  rowOf(block: Block, time: number): number {
    let known = this.#known.get(block);
    if (known === undefined) {
      known = new Map();
      this.#known.set(block, known);
    }
    let row = known.get(time);
    if (row === undefined) {
      row = this.rows.append(block, time);
      known.set(time, row);
    }
    return row;
  }
}
