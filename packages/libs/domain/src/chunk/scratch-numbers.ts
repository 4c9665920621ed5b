/** Memory for numbers that are used within one call, so that encoding allocates only its result. */
export class ScratchNumbers {
  #numbers = new Float64Array(1_024);

  /** Room for at least `count` numbers, whose former content is undefined. The next call may return the same memory. */
  of(count: number): Float64Array {
    if (count > this.#numbers.length)
      this.#numbers = new Float64Array(Math.max(count, this.#numbers.length * 2));
    return this.#numbers;
  }
}
