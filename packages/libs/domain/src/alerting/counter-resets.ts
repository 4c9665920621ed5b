/**
 * Removes the resets from a counter: a value below the previous one counts from 0, as in Prometheus' `increase`. Call
 * `take` for each value, and `keep` before the first value of a later time, since a value of the same time replaces the
 * last one.
 */
export class CounterResets {
  /** The last value that cannot be replaced, and what was added to the counter up to that value. */
  #kept = Number.NEGATIVE_INFINITY;
  #added = 0;
  #last = Number.NEGATIVE_INFINITY;
  #lastAdded = 0;

  /** The value of the counter as if it had never been reset. */
  take(value: number): number {
    this.#last = value;
    this.#lastAdded = value < this.#kept ? this.#added + this.#kept : this.#added;
    return value + this.#lastAdded;
  }

  /** Makes the last value final: it cannot be replaced by another value of the same time. */
  keep(): void {
    this.#kept = this.#last;
    this.#added = this.#lastAdded;
  }

  clear(): void {
    this.#kept = Number.NEGATIVE_INFINITY;
    this.#last = Number.NEGATIVE_INFINITY;
    this.#added = 0;
    this.#lastAdded = 0;
  }
}
