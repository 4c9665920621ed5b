import type { SeriesNumbers } from './series-numbers.ts';

const FIRST_SLOTS = 64;
/** The share of slots that are used at most. */
const MAX_LOAD = 0.7;
const EMPTY = -1;

/**
 * The series of an organization by the hash of their bytes, in two generations: what is used moves to the younger one, and `turn`
 * drops the older one, so that about the least recently used half goes. A slot is the number of a series twice, and one more in every
 * other generation; the search for a series begins at the slot that its hash names.
 */
export class SeriesTable {
  readonly #numbers: SeriesNumbers;
  readonly #total: { series: number };
  readonly #evict: (series: number) => void;
  #slots = new Int32Array(FIRST_SLOTS).fill(EMPTY);
  #size = 0;
  #turns = 0;

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
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = high & mask; ; at = (at + 1) & mask) {
      const slot = slots[at] as number;
      if (slot === EMPTY) return undefined;
      const series = slot >>> 1;
      if (!this.#numbers.hasHash(series, high, low)) continue;
      slots[at] = this.#slotOf(series);
      return series;
    }
  }

  /** Adds a series that has its number and is not in the table. */
  add(series: number): void {
    if (this.#size + 1 > this.#slots.length * MAX_LOAD) this.#rebuild(this.#all());
    this.#insert(this.#slotOf(series));
    this.#size += 1;
    this.#total.series += 1;
  }

  /** Drops the older generation; the younger one is the older one then. Returns how many series were dropped. */
  turn(): number {
    const all = this.#all();
    const kept = all.filter((slot) => (slot & 1) === (this.#turns & 1));
    const dropped = all.length - kept.length;
    if (dropped > 0) {
      for (const slot of all) if ((slot & 1) !== (this.#turns & 1)) this.#evict(slot >>> 1);
      this.#size -= dropped;
      this.#total.series -= dropped;
      this.#rebuild(kept);
    }
    this.#turns += 1;
    return dropped;
  }

  #slotOf(series: number): number {
    return 2 * series + (this.#turns & 1);
  }

  #all(): Int32Array {
    return this.#slots.filter((slot) => slot !== EMPTY);
  }

  /** Makes new slots for these and one more. */
  #rebuild(kept: Int32Array): void {
    let length = FIRST_SLOTS;
    while (kept.length + 1 > length * MAX_LOAD) length *= 2;
    this.#slots = new Int32Array(length).fill(EMPTY);
    for (const slot of kept) this.#insert(slot);
  }

  #insert(slot: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = this.#numbers.highOf(slot >>> 1) & mask;
    while (slots[at] !== EMPTY) at = (at + 1) & mask;
    slots[at] = slot;
  }
}
