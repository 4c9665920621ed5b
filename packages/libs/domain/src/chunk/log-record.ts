import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { SLOTS_PER_BLOCK } from '../series/slots.ts';

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

/**
 * Calls `visit` for each block of a record that `isWanted` accepts by its id, always with the same object. Throws MalformedBytesError for
 * other bytes.
 */
export function decodeRecord(
  from: ByteReader,
  visit: (block: LogBlock) => void,
  isWanted: (id: number) => boolean = () => true,
): void {
  const block: LogBlock = { id: 0, time: from.signed(), mask: 0, values: new Float64Array(SLOTS_PER_BLOCK) };
  while (!from.isAtEnd) {
    block.id += from.signed();
    const mask = from.uint16();
    if (!isWanted(block.id)) {
      for (let rest = mask; rest !== 0; rest &= rest - 1) from.skipNumber();
      continue;
    }
    block.mask = mask;
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1)
      block.values[slot] = (mask >> slot) & 1 ? finite(from.number()) : Number.NaN;
    visit(block);
  }
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new MalformedBytesError('a value is not finite');
  return value;
}
