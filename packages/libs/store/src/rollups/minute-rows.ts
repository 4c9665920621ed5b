import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import type { Copy } from '@tidewatch/database/copy/copy';
import type { RollupAccumulator } from '@tidewatch/domain/rollup/accumulator';
import type { RowBlock } from '../samples/sample-rows.ts';
import { ROLLUP_COLUMNS } from './rollup-columns.ts';

const COPY_MINUTES = `copy rollup_1m (bucket, block_id, ${ROLLUP_COLUMNS.join(', ')}) from stdin (format binary)`;
const NUMBERS = 64;

/** Finished minutes to insert into rollup_1m. */
export class MinuteRows<B extends RowBlock> {
  length = 0;
  blocks: B[] = [];
  buckets: number[] = [];
  #numbers = new Float64Array(256 * NUMBERS);

  /** Copies a finished minute. */
  add(block: B, minute: RollupAccumulator): void {
    const row = this.length++;
    if (this.length * NUMBERS > this.#numbers.length) {
      const grown = new Float64Array(this.#numbers.length * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.blocks[row] = block;
    this.buckets[row] = minute.bucket as number;
    const at = row * NUMBERS;
    for (let slot = 0; slot < 16; slot++) {
      this.#numbers[at + slot * 4] = minute.sum(slot);
      this.#numbers[at + slot * 4 + 1] = minute.count(slot);
      this.#numbers[at + slot * 4 + 2] = minute.min(slot);
      this.#numbers[at + slot * 4 + 3] = minute.max(slot);
    }
  }

  clear(): void {
    if (this.#numbers.length > 16_384 * NUMBERS) this.#numbers = new Float64Array(256 * NUMBERS);
    this.length = 0;
    this.blocks.length = 0;
    this.buckets.length = 0;
  }

  /** Yields pieces, each valid until the next is requested. */
  *encode(into: BinaryRows): Generator<Uint8Array> {
    into.reset();
    for (let row = 0; row < this.length; row++) {
      if (into.isFull) yield into.take();
      into.row(66, 720);
      into.time(this.buckets[row] as number);
      into.int4((this.blocks[row] as B).id);
      const end = (row + 1) * NUMBERS;
      for (let at = row * NUMBERS; at < end; at += 4) {
        const count = this.#numbers[at + 1] as number;
        if (count === 0) {
          into.null();
          into.null();
          into.null();
          into.null();
        } else {
          into.float8(this.#numbers[at] as number);
          into.int4(count);
          into.float8(this.#numbers[at + 2] as number);
          into.float8(this.#numbers[at + 3] as number);
        }
      }
    }
    yield into.finish();
  }
}

/** The COPY that inserts finished minutes; it fails if one of them is stored already. */
export function minutesCopy<B extends RowBlock>(rows: MinuteRows<B>, buffer: BinaryRows): Copy {
  return { statement: COPY_MINUTES, pieces: rows.encode(buffer) };
}
