import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';

/**
 * The preview would evaluate too many values. `from` is the start of the longest allowed range, ms; null if there is none.
 */
export class PreviewTooLargeError extends Error {
  override name = 'PreviewTooLargeError';
  readonly from: number | null;

  constructor(from: number | null) {
    super('the preview would evaluate too many values: choose a shorter range');
    this.from = from;
  }
}

/** Counts the values to read by hour, to find the longest allowed range. */
export class Effort {
  readonly #maxValues: number;
  readonly #byHour = new Map<number, number>();
  #total = 0;

  /** `maxValues` is the number of values that may be read. */
  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  get isTooMuch(): boolean {
    return this.#total > this.#maxValues;
  }

  /** Counts values that are read from `[from, to)`, distributed evenly. */
  add(from: number, to: number, values: number): void {
    this.#total += values;
    const first = bucketOf(from, HOUR_MS);
    const hours = Math.max(1, Math.ceil((to - first) / HOUR_MS));
    for (let i = 0; i < hours; i += 1) {
      const hour = first + i * HOUR_MS;
      this.#byHour.set(hour, (this.#byHour.get(hour) ?? 0) + values / hours);
    }
  }

  /** The first hour from which on the number of values is allowed; null if the last hour alone has too many. */
  get possibleFrom(): number | null {
    let values = 0;
    let from: number | null = null;
    for (const [hour, own] of [...this.#byHour].sort(([a], [b]) => b - a)) {
      values += own;
      if (values > this.#maxValues) return from;
      from = hour;
    }
    return from;
  }
}
