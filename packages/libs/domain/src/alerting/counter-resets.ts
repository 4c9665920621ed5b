/**
 * Adds up a counter over the moments in which it begins again, as the restart of a process or host: a value below the one
 * before counts from 0, as in Prometheus' `increase`. Use: `take` each value; `keep` before the next one of a later time,
 * since a value of the same time replaces the last.
 */
export class CounterResets {
  /** The last value that was kept, and what was added to it. */
  #kept = Number.NEGATIVE_INFINITY;
  #added = 0;
  #last = Number.NEGATIVE_INFINITY;
  #lastAdded = 0;

  /** The value as if the counter had never begun again. */
  take(value: number): number {
    this.#last = value;
    this.#lastAdded = value < this.#kept ? this.#added + this.#kept : this.#added;
    return value + this.#lastAdded;
  }

  /** The last value taken is not replaced any more. */
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
