/** Doubles in one piece of memory; what keeps a view of it keeps the whole piece. */
const PIECE = 16_384;

/**
 * Hands out small arrays of doubles that share their memory: an array with memory of its own costs V8 some 270 bytes
 * beside its numbers, and each is looked after by every collection.
 */
export class NumberSlab {
  #piece = new Float64Array(0);
  #used = 0;

  /** `length` numbers, at most 16,384, all of them `initial`. */
  take(length: number, initial: number): Float64Array<ArrayBuffer> {
    if (this.#used + length > this.#piece.length) {
      this.#piece = new Float64Array(PIECE);
      this.#used = 0;
    }
    const taken = this.#piece.subarray(this.#used, this.#used + length);
    this.#used += length;
    return initial === 0 ? taken : taken.fill(initial);
  }
}
