import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import type { ChunkColumns } from './chunk.ts';

/** Memory for the columns of one block after another: most have as many rows as the one before. */
export class ColumnMemory {
  #numbers = new Float64Array(0);
  #count = 0;
  #times = this.#numbers;
  #views: Float64Array[] = Array.from({ length: SLOTS_PER_BLOCK }, () => this.#numbers);

  /** Columns for the slots of `mask`, valid until the next call; those that are not in `common` are NaN, the others have any content. */
  open(count: number, mask: number, common: number): ChunkColumns {
    if (count !== this.#count) this.#divide(count);
    const slots: (Float64Array | null)[] = [];
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
      const column = (mask >> slot) & 1 ? (this.#views[slot] as Float64Array) : null;
      if (column !== null && ((common >> slot) & 1) === 0) column.fill(Number.NaN);
      slots.push(column);
    }
    return { times: this.#times, slots };
  }

  #divide(count: number): void {
    const needed = count * (SLOTS_PER_BLOCK + 1);
    if (needed > this.#numbers.length)
      this.#numbers = new Float64Array(Math.max(needed, 2 * this.#numbers.length));
    this.#count = count;
    this.#times = this.#numbers.subarray(0, count);
    this.#views = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) =>
      this.#numbers.subarray((slot + 1) * count, (slot + 2) * count),
    );
  }
}
