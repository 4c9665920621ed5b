import { FreeNumbers } from './free-numbers.ts';

const FIRST_SIZE = 1_024;
/** By how much lists grow: copying is cheap, and what is not used yet is memory of nobody. */
const GROWTH = 17 / 16;

/** A typed array of at least `length` numbers, with the given ones at its beginning. */
export function grown<
  A extends Int32Array | Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array,
>(array: A, length: number): A {
  const larger = new (array.constructor as new (length: number) => A)(length);
  larger.set(array);
  return larger;
}

/** How long a list becomes that is full. */
export function nextSize(length: number): number {
  return Math.ceil(length * GROWTH);
}

/** The generations of a table by turns, for a series that is in it. */
export type Generation = 1 | 2;
const IN_NO_TABLE = 0;

/**
 * Numbers series from 0, those of all tables together, and knows of each 64 bits of its hash and the generation in its table. A number
 * that is released is given again.
 */
export class SeriesNumbers {
  #hashes = new Int32Array(2 * FIRST_SIZE);
  #generations = new Uint8Array(FIRST_SIZE);
  readonly #numbers = new FreeNumbers();

  /** How long lists by number have to be. */
  get length(): number {
    return this.#hashes.length / 2;
  }

  take(high: number, low: number): number {
    const series = this.#numbers.take();
    if (series === this.length) {
      const size = nextSize(this.length);
      this.#hashes = grown(this.#hashes, 2 * size);
      this.#generations = grown(this.#generations, size);
    }
    this.#hashes[2 * series] = high;
    this.#hashes[2 * series + 1] = low;
    return series;
  }

  release(series: number): void {
    this.#generations[series] = IN_NO_TABLE;
    this.#numbers.release(series);
  }

  /** Whether the series is in a table. */
  isInTable(series: number): boolean {
    return this.#generations[series] !== IN_NO_TABLE;
  }

  isOf(series: number, generation: Generation): boolean {
    return this.#generations[series] === generation;
  }

  setGeneration(series: number, generation: Generation): void {
    this.#generations[series] = generation;
  }

  /** Whether the series has this hash, of which the low 32 bits of each half count. */
  hasHash(series: number, high: number, low: number): boolean {
    return this.#hashes[2 * series] === high && this.#hashes[2 * series + 1] === (low | 0);
  }

  highOf(series: number): number {
    return this.#hashes[2 * series] as number;
  }
}
