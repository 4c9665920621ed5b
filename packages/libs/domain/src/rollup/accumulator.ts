import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { summand } from './summand.ts';

/** The number of doubles of one accumulator. */
export const ACCUMULATOR_NUMBERS = 4 * SLOTS_PER_BLOCK;
const COUNT = SLOTS_PER_BLOCK;
const MIN = 2 * SLOTS_PER_BLOCK;
const MAX = 3 * SLOTS_PER_BLOCK;

/**
 * Sum, count, min and max of the sixteen slots of one block over one open bucket. The caller adds each row once, and only
 * rows of `bucket`. All numbers are in one array, since there is an accumulator for each block.
 */
export class RollupAccumulator {
  /** Start of the open bucket in ms; null while none is open. */
  bucket: number | null = null;
  private readonly numbers: Float64Array;

  /** `numbers` is the memory for the statistics: `ACCUMULATOR_NUMBERS` zeros. */
  constructor(numbers = new Float64Array(ACCUMULATOR_NUMBERS)) {
    this.numbers = numbers;
  }

  /** Clears all statistics and opens a bucket, or none. */
  open(bucket: number | null): void {
    this.bucket = bucket;
    this.numbers.fill(0);
  }

  /** Adds one value of one slot. */
  add(slot: number, value: number): void {
    const { numbers } = this;
    const count = numbers[COUNT + slot] as number;
    numbers[slot] = (numbers[slot] as number) + summand(value);
    numbers[COUNT + slot] = count + 1;
    if (count === 0 || value < (numbers[MIN + slot] as number)) numbers[MIN + slot] = value;
    if (count === 0 || value > (numbers[MAX + slot] as number)) numbers[MAX + slot] = value;
  }

  /** Adds a row of sixteen values that begins at `offset`; NaN is an absent slot. */
  addRow(values: ArrayLike<number>, offset = 0): void {
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
      const value = values[offset + slot] as number;
      if (!Number.isNaN(value)) this.add(slot, value);
    }
  }

  /** The number of values of a slot in the bucket; if 0, the sum, min and max are meaningless. */
  count(slot: number): number {
    return this.numbers[COUNT + slot] as number;
  }

  sum(slot: number): number {
    return this.numbers[slot] as number;
  }

  min(slot: number): number {
    return this.numbers[MIN + slot] as number;
  }

  max(slot: number): number {
    return this.numbers[MAX + slot] as number;
  }

  /** Whether no slot has had a value in this bucket. */
  get isEmpty(): boolean {
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) if (this.count(slot) > 0) return false;
    return true;
  }
}
