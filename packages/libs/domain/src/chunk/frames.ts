import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';

/** The count of integers that share one width. The last frame may have fewer. */
export const FRAME = 64;

const scratch = Buffer.alloc(1 + FRAME * 8);
const HIGH = 2 ** 32;

/**
 * Writes signed integers of at most 2^53 in frames of 64: one byte with the width in bytes, 0, 1, 2, 3, 4 or 8, then each
 * integer in two's complement, little-endian. Whole bytes take 7 % more space than bits, and SQL can read them.
 */
export function writeFrames(into: ByteWriter, integers: Float64Array, count: number): void {
  for (let start = 0; start < count; start += FRAME) {
    const end = Math.min(start + FRAME, count);
    const width = widthOf(integers, start, end);
    scratch[0] = width;
    fillScratch(integers, start, end, width);
    into.raw(scratch.subarray(0, 1 + (end - start) * width));
  }
}

function widthOf(integers: Float64Array, start: number, end: number): number {
  let min = 0;
  let max = 0;
  for (let at = start; at < end; at += 1) {
    const value = integers[at] as number;
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  // -2^7 fits one byte and 2^7 does not.
  const bound = Math.max(max, -min - 1);
  if (min === 0 && max === 0) return 0;
  if (bound < 0x80) return 1;
  if (bound < 0x8000) return 2;
  if (bound < 0x80_0000) return 3;
  return bound < 0x8000_0000 ? 4 : 8;
}

function fillScratch(integers: Float64Array, start: number, end: number, width: number): void {
  if (width === 0) return;
  let to = 1;
  if (width === 1) {
    for (let at = start; at < end; at += 1) scratch[to++] = integers[at] as number;
    return;
  }
  if (width === 8) {
    for (let at = start; at < end; at += 1, to += 8) {
      const value = integers[at] as number;
      const high = Math.floor(value / HIGH);
      scratch.writeUInt32LE(value - high * HIGH, to);
      scratch.writeInt32LE(high, to + 4);
    }
    return;
  }
  for (let at = start; at < end; at += 1) {
    const value = integers[at] as number;
    for (let shift = 0; shift < width * 8; shift += 8) scratch[to++] = value >> shift;
  }
}

/** Reads `count` integers that `writeFrames` has written into `integers`. */
export function readFrames(from: ByteReader, integers: Float64Array, count: number): void {
  for (let start = 0; start < count; start += FRAME) {
    const end = Math.min(start + FRAME, count);
    const width = from.byte();
    if (width === 0) integers.fill(0, start, end);
    else readFrame(from, integers, start, end, width);
  }
}

function readFrame(
  reader: ByteReader,
  integers: Float64Array,
  start: number,
  end: number,
  width: number,
): void {
  const { bytes } = reader;
  const at = (index: number): number => bytes[index] as number;
  let from = reader.pass((end - start) * width);
  let to = start;
  if (width === 1) for (; to < end; from += 1) integers[to++] = (at(from) << 24) >> 24;
  else if (width === 2)
    for (; to < end; from += 2) integers[to++] = ((at(from) | (at(from + 1) << 8)) << 16) >> 16;
  else if (width === 3)
    for (; to < end; from += 3)
      integers[to++] = ((at(from) | (at(from + 1) << 8) | (at(from + 2) << 16)) << 8) >> 8;
  else if (width === 4) for (; to < end; from += 4) integers[to++] = bytes.readInt32LE(from);
  else if (width === 8)
    for (; to < end; from += 8)
      integers[to++] = bytes.readInt32LE(from + 4) * HIGH + bytes.readUInt32LE(from);
  else throw new MalformedBytesError(`a frame of the unknown width ${width}`);
}
