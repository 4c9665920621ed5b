/** A larger buffer is not kept for the next body. */
const MAX_KEPT_BYTES = 1_048_576;
const MIN_BYTES = 65_536;

/**
 * Memory for bodies that are decoded one after the other, as nearly all are. Memory of their own for each would be garbage
 * outside the heap, and collections of the whole heap would come earlier.
 */
export class ScratchBuffer {
  #free: Buffer | null = null;

  /** A buffer of `length` bytes with any content, nobody else's until it is given back. */
  take(length: number): Buffer {
    const free = this.#free;
    if (free === null || free.length < length)
      return Buffer.allocUnsafeSlow(Math.max(length, MIN_BYTES)).subarray(0, length);
    this.#free = null;
    return free.subarray(0, length);
  }

  /** Keeps what `take` returned for the next body. Nothing may read it afterwards. */
  giveBack(buffer: Buffer): void {
    const { byteLength } = buffer.buffer;
    if (byteLength > MAX_KEPT_BYTES || (this.#free?.length ?? 0) >= byteLength) return;
    this.#free = Buffer.from(buffer.buffer, 0, byteLength);
  }
}
