import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';

/** The count of integers that share one width. The last frame may have fewer. */
export const FRAME = 64;

const HIGH = 2 ** 32;

/**
 * Writes signed integers of at most 2^53 in frames of 64: one byte with the width in bytes, 0, 1, 2, 3, 4 or 8, then each
 * integer in two's complement, little-endian. Whole bytes take 7 % more space than bits, and SQL can read them.
 */
export function writeFrames(into: ByteWriter, integers: Float64Array, count: number): void {
  for (let start = 0; start < count; start += FRAME) {
    const end = Math.min(start + FRAME, count);
    const width = widthOf(integers, start, end);
    into.byte(width);
    writeFrame(into, integers, start, end, width);
  }
}

/** Without branches for the min and max, which no processor predicts in so few integers. */
function widthOf(integers: Float64Array, start: number, end: number): number {
  let any = 0;
  // The bits of integers that are not negative, and of -1 less those that are: -2^7 fits one byte and 2^7 does not.
  let bits = 0;
  for (let at = start; at < end; at += 1) {
    const value = integers[at] as number;
    const small = value | 0;
    if (small !== value) return 8;
    any |= small;
    bits |= small ^ (small >> 31);
  }
  if (any === 0) return 0;
  if (bits < 0x80) return 1;
  if (bits < 0x8000) return 2;
  return bits < 0x80_0000 ? 3 : 4;
}

function writeFrame(
  writer: ByteWriter,
  integers: Float64Array,
  start: number,
  end: number,
  width: number,
): void {
  if (width === 0) return;
  let to = writer.pass((end - start) * width);
  const { memory } = writer;
  if (width === 1) for (let at = start; at < end; at += 1) memory[to++] = integers[at] as number;
  else if (width === 2)
    for (let at = start; at < end; at += 1) {
      const value = integers[at] as number;
      memory[to++] = value;
      memory[to++] = value >> 8;
    }
  else if (width === 8)
    for (let at = start; at < end; at += 1, to += 8) {
      const value = integers[at] as number;
      const high = Math.floor(value / HIGH);
      memory.writeUInt32LE(value - high * HIGH, to);
      memory.writeInt32LE(high, to + 4);
    }
  else
    for (let at = start; at < end; at += 1) {
      const value = integers[at] as number;
      for (let shift = 0; shift < width * 8; shift += 8) memory[to++] = value >> shift;
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
