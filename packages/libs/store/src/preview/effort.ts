import { bucketOf, HOUR_MS } from '@tidewatch/domain/rollup/tier';

/** More would have to be judged than one preview may. `from` is where a range could begin that is not too much, ms. */
export class PreviewTooLargeError extends Error {
  override name = 'PreviewTooLargeError';
  readonly from: number | null;

  constructor(from: number | null) {
    super('more would have to be judged than one preview may');
    this.from = from;
  }
}

/** How much is to be read, by hour, so that a range can be named that is not too much. */
export class Effort {
  readonly #most: number;
  readonly #byHour = new Map<number, number>();
  #total = 0;

  /** `most` is the number of values that may be read. */
  constructor(most: number) {
    this.#most = most;
  }

  get isTooMuch(): boolean {
    return this.#total > this.#most;
  }

  /** Counts values that are read from `[from, to)`, spread evenly. */
  add(from: number, to: number, values: number): void {
    this.#total += values;
    const first = bucketOf(from, HOUR_MS);
    const hours = Math.max(1, Math.ceil((to - first) / HOUR_MS));
    for (let i = 0; i < hours; i += 1) {
      const hour = first + i * HOUR_MS;
      this.#byHour.set(hour, (this.#byHour.get(hour) ?? 0) + values / hours);
    }
  }

  /** The first hour from which on it is not too much, null where not even the last is. */
  get possibleFrom(): number | null {
    let values = 0;
    let from: number | null = null;
    for (const [hour, own] of [...this.#byHour].sort(([a], [b]) => b - a)) {
      values += own;
      if (values > this.#most) return from;
      from = hour;
    }
    return from;
  }
}
