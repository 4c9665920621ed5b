import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { type ByteWriter, DECIMALS, RAW_SCALE } from '@tidewatch/contracts/bytes/byte-writer';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';
import type { RecordLayout } from './record-layout.ts';

/** The values of one block at one time. */
export interface LogBlock {
  id: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** Bit n is set if slot n has a value. */
  mask: number;
  /** Sixteen values, NaN where the slot has none. */
  values: Float64Array;
}

/**
 * Writes the values of one subject at one time:
 *
 *   record = time (signed), block*
 *   block  = distance from the id before (signed), mask of slots (2 bytes), value*
 *
 * A value is the varint of a scaled integer and its scale, or a double, as `ByteWriter.number` has it: 57.31 takes three
 * bytes. `values` has sixteen for each id, NaN for a slot without one. Throws RangeError for values that are infinite.
 */
export function encodeRecord(
  into: ByteWriter,
  time: number,
  ids: ArrayLike<number>,
  values: ArrayLike<number>,
): void {
  for (let at = 0; at < ids.length * SLOTS_PER_BLOCK; at += 1) requireStorable(values[at] as number);
  into.signed(time);
  let before = 0;
  for (let block = 0; block < ids.length; block += 1) {
    const id = ids[block] as number;
    into.signed(id - before);
    before = id;
    const start = block * SLOTS_PER_BLOCK;
    into.uint16(maskOf(values, start));
    for (let at = start; at < start + SLOTS_PER_BLOCK; at += 1) {
      const value = values[at] as number;
      if (!Number.isNaN(value)) into.number(value);
    }
  }
}

/**
 * Writes the same record from values in the order in which they were reported, which is cheaper. `blocks` are those of the subject, by
 * their ordinals. Throws RangeError for values that are not finite.
 */
export function encodeLaidOut(
  into: ByteWriter,
  time: number,
  blocks: ArrayLike<{ readonly id: number }>,
  { ordinals, masks, ends, order }: RecordLayout,
  values: ArrayLike<number>,
): void {
  into.signed(time);
  let before = 0;
  let at = 0;
  for (let block = 0; block < ordinals.length; block += 1) {
    const { id } = blocks[ordinals[block] as number] as { id: number };
    into.signed(id - before);
    before = id;
    into.uint16(masks[block] as number);
    for (const end = ends[block] as number; at < end; at += 1) {
      const value = values[order[at] as number] as number;
      if (value - value !== 0) requireStorable(Number.POSITIVE_INFINITY);
      into.number(value);
    }
  }
}

function maskOf(values: ArrayLike<number>, start: number): number {
  let mask = 0;
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
    if (!Number.isNaN(values[start + slot])) mask |= 1 << slot;
  }
  return mask;
}

function requireStorable(value: number): void {
  if (Math.abs(value) === Number.POSITIVE_INFINITY)
    throw new RangeError(`${value} cannot be stored; a number has to be finite`);
}

const visited = new Float64Array(SLOTS_PER_BLOCK);

/** Where a record lies in bytes. */
export interface RecordPlace {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Calls `visit` for each block of a record that `isWanted` accepts by its id, always with the same object. Throws MalformedBytesError for
 * other bytes. What lies behind `max` of these blocks is not read. Reads what a ByteReader would, three times as fast, since no other code reads as many numbers.
 */
export function decodeRecord(
  { bytes, start, end }: RecordPlace,
  visit: (block: LogBlock) => void,
  isWanted: ((id: number) => boolean) | null = null,
  max = Number.POSITIVE_INFINITY,
): void {
  let left = max;
  const block: LogBlock = { id: 0, time: 0, mask: 0, values: visited };
  const { values } = block;
  block.time = fromZigzag(readVarint(bytes, start));
  let at = varintEnd;
  while (at < end && left > 0) {
    block.id += fromZigzag(readVarint(bytes, at));
    at = varintEnd;
    const mask = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    at += 2;
    if (isWanted !== null && !isWanted(block.id)) {
      at = passOver(bytes, at, mask, end);
      continue;
    }
    at = decodeValues(bytes, at, end, mask, values);
    block.mask = mask;
    visit(block);
    left -= 1;
  }
}

/**
 * Fills `values` with the numbers of a block that lie at a place, NaN for a slot without one, and returns the place behind them. Throws
 * MalformedBytesError for other bytes.
 */
function decodeValues(bytes: Buffer, start: number, end: number, mask: number, values: Float64Array): number {
  let at = start;
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1) {
    if (((mask >> slot) & 1) === 0) {
      values[slot] = Number.NaN;
      continue;
    }
    values[slot] = readValue(bytes, at);
    at = valueEnd;
  }
  if (at > end) throw new MalformedBytesError('the bytes end too early');
  return at;
}

/**
 * Writes the numbers of a block that lie at a place into a row of the columns of their slots; others are left as they are. Throws
 * MalformedBytesError for other bytes.
 */
export function decodeRow(
  bytes: Buffer,
  start: number,
  end: number,
  mask: number,
  slots: readonly (Float64Array | null)[],
  row: number,
): void {
  let at = start;
  for (let slot = 0, rest = mask; rest !== 0; slot += 1, rest >>= 1) {
    if ((rest & 1) === 0) continue;
    (slots[slot] as Float64Array)[row] = readValue(bytes, at);
    at = valueEnd;
  }
  if (at > end) throw new MalformedBytesError('the bytes end too early');
}

/** The value of a slot in `mask`, from the values of a block that lie at a place. Throws MalformedBytesError for other bytes. */
export function decodeValue(bytes: Buffer, start: number, end: number, mask: number, slot: number): number {
  const at = passOver(bytes, start, mask & ((1 << slot) - 1), end);
  const packed = readVarint(bytes, at);
  if (varintEnd > end) throw new MalformedBytesError('the bytes end too early');
  const scale = packed % 8;
  if (scale !== RAW_SCALE) return fromZigzag((packed - scale) / 8) / (DECIMALS[scale] as number);
  if (packed !== RAW_SCALE) throw new MalformedBytesError('a double of an unknown kind');
  if (varintEnd + 8 > end) throw new MalformedBytesError('the bytes end too early');
  return readDouble(bytes, varintEnd);
}

/**
 * Calls `visit` for each block of a record that `isWanted` accepts by its id, with the time and the place of its values, which are not
 * decoded. What lies behind `max` of these blocks is not read. Throws MalformedBytesError for other bytes.
 */
export function placeBlocks(
  { bytes, start, end }: RecordPlace,
  visit: (id: number, time: number, mask: number, at: number) => void,
  isWanted: ((id: number) => boolean) | null = null,
  max = Number.POSITIVE_INFINITY,
): void {
  let left = max;
  const time = fromZigzag(readVarint(bytes, start));
  let at = varintEnd;
  for (let id = 0; at < end; ) {
    id += fromZigzag(readVarint(bytes, at));
    at = varintEnd + 2;
    if (at > end) throw new MalformedBytesError('the bytes end too early');
    const mask = (bytes[at - 2] as number) | ((bytes[at - 1] as number) << 8);
    if (isWanted === null || isWanted(id)) {
      visit(id, time, mask, at);
      left -= 1;
      if (left === 0) return;
    }
    at = passOver(bytes, at, mask, end);
  }
}

/** The place behind the values of a block. */
function passOver(bytes: Buffer, start: number, mask: number, end: number): number {
  let at = start;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    let byte = bytes[at++] as number;
    const scale = byte & 7;
    while (byte >= 0x80) byte = bytes[at++] as number;
    if (scale === RAW_SCALE) at += 8;
  }
  if (at > end) throw new MalformedBytesError('the bytes end too early');
  return at;
}

let valueEnd = 0;

/**
 * Reads the value at a place, and sets `valueEnd` to the place behind it. A byte behind the end belongs to nothing, which the caller finds
 * by `valueEnd`.
 */
function readValue(bytes: Buffer, start: number): number {
  // A varint of up to four bytes is read here.
  let at = start;
  let byte = bytes[at++] as number;
  let packed = byte & 0x7f;
  for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
    byte = bytes[at++] as number;
    packed |= (byte & 0x7f) << shift;
  }
  const scale = packed & 7;
  if (byte >= 0x80) {
    if (scale === RAW_SCALE) throw new MalformedBytesError('a double of an unknown kind');
    const wide = readVarint(bytes, start);
    valueEnd = varintEnd;
    return fromZigzag(Math.floor(wide / 8)) / (DECIMALS[scale] as number);
  }
  if (scale === RAW_SCALE) {
    valueEnd = at + 8;
    return readDouble(bytes, at);
  }
  valueEnd = at;
  const zigzag = packed >>> 3;
  return ((zigzag >>> 1) ^ -(zigzag & 1)) / (DECIMALS[scale] as number);
}

let varintEnd = 0;

/** Reads the integer at a place, and sets `varintEnd` to the place behind it. */
function readVarint(bytes: Buffer, start: number): number {
  const low = readBits(bytes, start);
  if (!isOpen) return low;
  // Bit operations are limited to 32 bits, so what lies behind the first 28 is read apart.
  const value = low + readBits(bytes, varintEnd) * 2 ** 28;
  if (isOpen || !Number.isSafeInteger(value)) throw new MalformedBytesError('a number is out of range');
  return value;
}

/** Whether the integer goes on behind what was read of it. */
let isOpen = false;

/** Reads up to four bytes of an integer, seven bits of each. */
function readBits(bytes: Buffer, start: number): number {
  let at = start;
  let byte = bytes[at++] as number;
  let value = byte & 0x7f;
  for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
    byte = bytes[at++] as number;
    value |= (byte & 0x7f) << shift;
  }
  if (at > bytes.length) throw new MalformedBytesError('the bytes end too early');
  varintEnd = at;
  isOpen = byte >= 0x80;
  return value;
}

/** By rounding, since the remainder of doubles takes ten times as long. */
function fromZigzag(zigzag: number): number {
  const half = Math.floor(zigzag / 2);
  return half * 2 === zigzag ? half : -half - 1;
}

function readDouble(bytes: Buffer, at: number): number {
  if (at + 8 > bytes.length) throw new MalformedBytesError('the bytes end too early');
  const value = bytes.readDoubleLE(at);
  if (!Number.isFinite(value)) throw new MalformedBytesError('a value is not finite');
  return value;
}
