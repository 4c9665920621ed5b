import type { Generation, SeriesNumbers } from './series-numbers.ts';

const FIRST_SLOTS = 64;
/** The share of slots that are used at most. */
const MAX_LOAD = 0.7;
const EMPTY = -1;

/**
 * The series of an organization by the hash of their bytes, in two generations: what is used moves to the younger one, and `turn`
 * drops the older one, so that about the least recently used half goes. The search for a series begins at the slot that its hash names.
 * An agent sends its series in the same order each time, so that they mostly have numbers that follow each other: the next one is tried
 * first. It may be of another organization, whose series have other hashes, since the hash of each has a random seed.
 */
export class SeriesTable {
  readonly #numbers: SeriesNumbers;
  readonly #total: { series: number };
  readonly #evict: (series: number) => void;
  #slots = new Int32Array(FIRST_SLOTS).fill(EMPTY);
  #size = 0;
  #turns = 0;
  /** The series that was found last. */
  #found = 0;

  /** `total` counts the series of all tables that share it; `evict` is called for each series that is dropped, and releases its number. */
  constructor(numbers: SeriesNumbers, total: { series: number }, evict: (series: number) => void) {
    this.#numbers = numbers;
    this.#total = total;
    this.#evict = evict;
  }

  /** The number of series in both generations. */
  get size(): number {
    return this.#size;
  }

  /** How often the older generation was dropped. What is found is kept for the first of later turns, and may be dropped by the second. */
  get turns(): number {
    return this.#turns;
  }

  find(high: number, low: number): number | undefined {
    const next = this.#found + 1;
    if (this.#numbers.hasHash(next, high, low) && this.#numbers.isInTable(next)) return this.#use(next);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = high & mask; ; at = (at + 1) & mask) {
      const series = slots[at] as number;
      if (series === EMPTY) return undefined;
      if (this.#numbers.hasHash(series, high, low)) return this.#use(series);
    }
  }

  /** Adds a series that has its number and is not in the table. */
  add(series: number): void {
    if (this.#size + 1 > this.#slots.length * MAX_LOAD) this.#rebuild(this.#all());
    this.#insert(series);
    this.#use(series);
    this.#size += 1;
    this.#total.series += 1;
  }

  /** Drops the older generation; the younger one is the older one then. Returns how many series were dropped. */
  turn(): number {
    const all = this.#all();
    const generation = this.#generation;
    const kept = all.filter((series) => this.#numbers.isOf(series, generation));
    const dropped = all.length - kept.length;
    if (dropped > 0) {
      for (const series of all) if (!this.#numbers.isOf(series, generation)) this.#evict(series);
      this.#size -= dropped;
      this.#total.series -= dropped;
      this.#rebuild(kept);
    }
    this.#turns += 1;
    return dropped;
  }

  get #generation(): Generation {
    return (this.#turns & 1) === 0 ? 1 : 2;
  }

  /** Moves a series to the younger generation. */
  #use(series: number): number {
    this.#numbers.setGeneration(series, this.#generation);
    this.#found = series;
    return series;
  }

  #all(): Int32Array {
    return this.#slots.filter((series) => series !== EMPTY);
  }

  /** Makes new slots for these and one more. */
  #rebuild(kept: Int32Array): void {
    let length = FIRST_SLOTS;
    while (kept.length + 1 > length * MAX_LOAD) length *= 2;
    this.#slots = new Int32Array(length).fill(EMPTY);
    for (const series of kept) this.#insert(series);
  }

  #insert(series: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = this.#numbers.highOf(series) & mask;
    while (slots[at] !== EMPTY) at = (at + 1) & mask;
    slots[at] = series;
  }
}
