import { ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import { openAlone, openPart, requireEnd } from './checked-head.ts';
import type { GrowingSamples } from './growing-samples.ts';
import { MAX_INTEGER, readIntegers, writeIntegers } from './integers.ts';
import { fillNumbers, readNumbers, writeNumbers } from './numbers.ts';
import { ScratchNumbers } from './scratch-numbers.ts';
import { openCutAt, openSlots, openSlotsAt, packSlots, type SlotParts } from './slot-parts.ts';

/** A day of samples every 100 ms has 864,000 rows. */
export const MAX_CHUNK_ROWS = 2 ** 20;

/** Samples of one block: a time for each row, and for each slot in use a number for each row. */
export interface ChunkColumns {
  /** Milliseconds since the epoch, ascending and each once. */
  times: Float64Array;
  /** The numbers of up to sixteen slots, NaN where a row has none; null for a slot without any. */
  slots: readonly (Float64Array | null)[];
}

/**
 * Packs samples of a block by column:
 *
 *   chunk = version, checksum, head (mask of slots; length and checksum of each column; count of rows; times), column*
 *
 * Every finite number is read back bit for bit. Throws RangeError for no rows, more than MAX_CHUNK_ROWS, times that do
 * not ascend, and numbers that are infinite.
 */
export function encodeChunk({ times, slots }: ChunkColumns): Buffer {
  const count = times.length;
  if (count === 0 || count > MAX_CHUNK_ROWS)
    throw new RangeError(`a chunk has 1 to ${MAX_CHUNK_ROWS} rows, not ${count}`);
  requireAscending(times);
  return packSlots(
    slots,
    (into, slot) => {
      const numbers = slots[slot] as Float64Array;
      if (numbers.length !== count)
        throw new RangeError(`slot ${slot} has ${numbers.length} rows, not ${count}`);
      writeNumbers(into, numbers, count);
    },
    (into) => {
      into.varint(count);
      writeIntegers(into, times, count);
    },
  );
}

function requireAscending(times: Float64Array): void {
  let before = -MAX_INTEGER;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    if (!(time > before && time < MAX_INTEGER) || !Number.isInteger(time))
      throw new RangeError('times of a chunk have to be integers that ascend');
    before = time;
  }
}

const scratchTimes = new ScratchNumbers();
const scratchNumbers = new ScratchNumbers();

/**
 * A chunk to read. The head is checked when it is opened, a column when it is read, so that a query of one slot reads
 * nothing of the others.
 */
export class ChunkReader {
  readonly #bytes: Buffer;
  readonly #places: SlotParts['places'];
  /** Where the times lie in the head. */
  readonly #timesStart: number;
  readonly #timesEnd: number;
  readonly count: number;
  #times: Float64Array | null = null;

  /**
   * `isWhole` is false for a chunk of which only the head was read; its columns are then read by `column`. Throws
   * MalformedBytesError if the head is damaged.
   */
  constructor(bytes: Buffer, isWhole = true, { places, rest } = openSlots(bytes, isWhole)) {
    this.#bytes = bytes;
    this.#places = places;
    this.count = rest.varint();
    this.#timesStart = rest.at;
    this.#timesEnd = rest.end;
    if (this.count === 0 || this.count > MAX_CHUNK_ROWS)
      throw new MalformedBytesError(`a chunk of ${this.count} rows`);
  }

  /**
   * The chunks that lie behind each other in bytes; `cutTo`: the slot that `cutSql` has cut out of each. Throws MalformedBytesError if the head
   * of one is damaged, or one is cut off.
   */
  static all(bytes: Buffer, cutTo: number | null = null): ChunkReader[] {
    const readers: ChunkReader[] = [];
    for (let at = 0; at < bytes.length; ) {
      const parts = cutTo === null ? openSlotsAt(bytes, at) : openCutAt(bytes, at, cutTo);
      at = parts.places.end;
      if (at > bytes.length) throw new MalformedBytesError('the bytes end too early');
      readers.push(new ChunkReader(bytes, true, parts));
    }
    return readers;
  }

  /** Bit n is set if slot n has numbers. */
  get mask(): number {
    return this.#places.mask;
  }

  /** The times of the rows, ms. The array belongs to the reader. */
  times(): Float64Array {
    if (this.#times !== null) return this.#times;
    const times = new Float64Array(this.count);
    this.#readTimes(times);
    this.#times = times;
    return times;
  }

  /** The numbers of a slot, NaN where a row has none; null if the chunk has none of that slot. */
  slot(slot: number): Float64Array | null {
    const place = this.#places.of(slot);
    return place === null ? null : this.#decode(openPart(this.#bytes, place));
  }

  /** Adds the numbers of a slot in `[from, to)`, ms, with their times. Meant for short chunks, of which it keeps nothing. */
  addTo(samples: GrowingSamples, slot: number, from: number, to: number): void {
    if (((this.mask >> slot) & 1) === 0) return;
    const { count } = this;
    const times = this.#times ?? this.#readTimes(scratchTimes.of(count));
    if ((times[0] as number) >= to || (times[count - 1] as number) < from) return;
    samples.add(times, this.#decodeScratch(slot), count, from, to);
  }

  /** Writes the times of all rows from the index `at` on. */
  copyTimes(into: Float64Array, at: number): void {
    const times = this.#readTimes(scratchTimes.of(this.count));
    for (let row = 0; row < this.count; row += 1) into[at + row] = times[row] as number;
  }

  /** Writes the numbers of a slot that the chunk has from the index `at` on, NaN where a row has none. */
  copySlot(slot: number, into: Float64Array, at: number): void {
    const numbers = this.#decodeScratch(slot);
    for (let row = 0; row < this.count; row += 1) into[at + row] = numbers[row] as number;
  }

  /** Where the column of a slot lies in the bytes of the chunk, for a reader that fetches it alone. */
  columnPlace(slot: number): { start: number; end: number } | null {
    return this.#places.of(slot);
  }

  /** The numbers of a slot, from the bytes that lie at `columnPlace(slot)`. */
  column(slot: number, bytes: Buffer): Float64Array {
    const place = this.#places.of(slot);
    if (place === null) throw new RangeError(`the chunk has no numbers of slot ${slot}`);
    return this.#decode(openAlone(bytes, place));
  }

  #readTimes(into: Float64Array): Float64Array {
    const reader = new ByteReader(this.#bytes, this.#timesStart, this.#timesEnd);
    readIntegers(reader, into, this.count);
    requireEnd(reader);
    return into;
  }

  /** The numbers of a slot that the chunk has, in memory that is used again. */
  #decodeScratch(slot: number): Float64Array {
    const place = this.#places.of(slot);
    if (place === null) throw new RangeError(`the chunk has no numbers of slot ${slot}`);
    const reader = openPart(this.#bytes, place);
    const numbers = scratchNumbers.of(this.count);
    fillNumbers(reader, numbers, this.count);
    requireEnd(reader);
    return numbers;
  }

  #decode(reader: ByteReader): Float64Array {
    const numbers = readNumbers(reader, this.count);
    requireEnd(reader);
    return numbers;
  }
}

/** All columns of a chunk. Throws MalformedBytesError for bytes that `encodeChunk` did not write. */
export function decodeChunk(bytes: Buffer): ChunkColumns {
  const reader = new ChunkReader(bytes);
  const slots: (Float64Array | null)[] = [];
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) slots.push(reader.slot(slot));
  return { times: reader.times(), slots };
}
