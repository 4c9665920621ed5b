/** The number of doubles in one block of memory; a view of any part keeps the whole block in memory. */
const PIECE = 16_384;

/**
 * Allocates small arrays of doubles in shared memory: an array with memory of its own costs V8 some 270 extra bytes and
 * work in every garbage collection.
 */
export class NumberSlab {
  #piece = new Float64Array(0);
  #used = 0;

  /** The block of memory in which the last call of `reserve` reserved numbers. */
  get piece(): Float64Array<ArrayBuffer> {
    return this.#piece;
  }

  take(length: number, initial: number): Float64Array<ArrayBuffer> {
    const first = this.reserve(length, initial);
    return this.#piece.subarray(first, first + length);
  }

  /** Reserves numbers without creating an array, which would cost some 100 bytes; returns their position in `piece`. */
  reserve(length: number, initial: number): number {
    if (this.#used + length > this.#piece.length) {
      this.#piece = new Float64Array(PIECE);
      this.#used = 0;
    }
    const first = this.#used;
    this.#used += length;
    if (initial !== 0) this.#piece.fill(initial, first, this.#used);
    return first;
  }
}
