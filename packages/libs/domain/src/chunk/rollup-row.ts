import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { openAlone, openPart, requireEnd } from './checked-head.ts';
import { readNumbers, writeNumbers } from './numbers.ts';
import { openSlots, packSlots, type SlotParts } from './slot-parts.ts';

/** Steps of a rollup row: the 1,440 minutes or 24 hours of a day, or the 31 days of a month. */
export const MAX_ROLLUP_STEPS = 1_440;

/** Sum, count, min and max of one slot in each step. All are NaN in a step without a sample. */
export interface RollupColumns {
  sums: Float64Array;
  counts: Float64Array;
  mins: Float64Array;
  maxs: Float64Array;
}

/**
 * Packs the rollups of a block and day (or month):
 *
 *   row  = version, checksum, head (mask of slots; length and checksum of each part; count of steps), part*
 *   part = counts (with the bits of the steps that have samples), sums, mins, maxs
 *
 * `slots` has up to sixteen entries, null for one without any sample. Throws RangeError for columns of different lengths,
 * for more than MAX_ROLLUP_STEPS, and for a step in which one column has a number and another has none.
 */
export function encodeRollupRow(steps: number, slots: readonly (RollupColumns | null)[]): Buffer {
  if (steps < 1 || steps > MAX_ROLLUP_STEPS)
    throw new RangeError(`a rollup row has 1 to ${MAX_ROLLUP_STEPS} steps, not ${steps}`);
  return packSlots(
    slots,
    (into, slot) => {
      const { sums, counts, mins, maxs } = slots[slot] as RollupColumns;
      if (counts.length !== steps) throw new RangeError(`a column has ${counts.length} steps, not ${steps}`);
      const taken = takenSteps(counts);
      writeNumbers(into, counts, steps);
      for (const column of [sums, mins, maxs]) writeNumbers(into, gather(column, taken, steps), taken.length);
    },
    (into) => into.varint(steps),
  );
}

function takenSteps(counts: Float64Array): Int32Array {
  const taken = new Int32Array(counts.length);
  let count = 0;
  for (let step = 0; step < counts.length; step += 1) if (!Number.isNaN(counts[step])) taken[count++] = step;
  return taken.subarray(0, count);
}

function gather(column: Float64Array, taken: Int32Array, steps: number): Float64Array {
  if (column.length !== steps) throw new RangeError(`a column has ${column.length} steps, not ${steps}`);
  const numbers = taken.length === column.length ? column : new Float64Array(taken.length);
  for (let index = 0; index < taken.length; index += 1) {
    const number = column[taken[index] as number] as number;
    if (Number.isNaN(number)) throw new RangeError('a step has samples but no sum, min or max');
    if (numbers !== column) numbers[index] = number;
  }
  return numbers;
}

/** A rollup row to read. The head is checked when it is opened, a slot when it is read. */
export class RollupRowReader {
  readonly #bytes: Buffer;
  readonly #parts: SlotParts;
  readonly steps: number;

  /**
   * `isWhole` is false for a row of which only the head was read; its slots are then read by `part`. Throws MalformedBytesError if
   * the head is damaged or, of a whole row, bytes are missing.
   */
  constructor(bytes: Buffer, isWhole = true) {
    this.#bytes = bytes;
    this.#parts = openSlots(bytes, isWhole);
    this.steps = this.#parts.rest.varint();
    requireEnd(this.#parts.rest);
    if (this.steps === 0 || this.steps > MAX_ROLLUP_STEPS)
      throw new MalformedBytesError(`a rollup row of ${this.steps} steps`);
  }

  /** Bit n is set if slot n has rollups. */
  get mask(): number {
    return this.#parts.places.mask;
  }

  /** The rollups of a slot; null if the row has none of it. Throws MalformedBytesError if they are damaged. */
  slot(slot: number): RollupColumns | null {
    const place = this.#parts.places.of(slot);
    return place === null ? null : this.#decode(openPart(this.#bytes, place));
  }

  /** The rollups of a slot, from the bytes of its part, which was fetched alone. */
  part(slot: number, bytes: Buffer): RollupColumns {
    const place = this.#parts.places.of(slot);
    if (place === null) throw new RangeError(`the row has no rollups of slot ${slot}`);
    return this.#decode(openAlone(bytes, place));
  }

  #decode(reader: ByteReader): RollupColumns {
    const counts = readNumbers(reader, this.steps);
    const taken = takenSteps(counts);
    const column = () => scatter(readNumbers(reader, taken.length), taken, this.steps);
    const columns = { sums: column(), counts, mins: column(), maxs: column() };
    requireEnd(reader);
    return columns;
  }
}

function scatter(numbers: Float64Array, taken: Int32Array, steps: number): Float64Array {
  if (taken.length === steps) return numbers;
  const column = new Float64Array(steps).fill(Number.NaN);
  for (let index = 0; index < taken.length; index += 1)
    column[taken[index] as number] = numbers[index] as number;
  return column;
}

/** The rollups of all slots. Throws MalformedBytesError for bytes that `encodeRollupRow` did not write. */
export function decodeRollupRow(bytes: Buffer): { steps: number; slots: (RollupColumns | null)[] } {
  const reader = new RollupRowReader(bytes);
  const slots = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => reader.slot(slot));
  return { steps: reader.steps, slots };
}
