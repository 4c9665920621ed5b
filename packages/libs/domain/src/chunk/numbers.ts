import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { MAX_INTEGER, readIntegers, writeIntegers } from './integers.ts';
import { ScratchNumbers } from './scratch-numbers.ts';

/** The powers of ten by which numbers are scaled. */
export const FACTORS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
/** The scale of a stream whose numbers have no common count of decimals: doubles follow. */
export const DOUBLES = 7;
const HAS_GAPS = 8;

const present = new ScratchNumbers();
const scaled = new ScratchNumbers();

/**
 * Writes the numbers of a column; NaN is an absent one. Every other finite double, -0 included, is read back bit for bit.
 *
 *   numbers = scale + (8 if some are absent), [a bit for each that is present], integers | double*
 *
 * A scale of 0 to 6 is a count of decimals: integers are the numbers times that power of ten. Throws RangeError for Infinity.
 */
export function writeNumbers(into: ByteWriter, numbers: Float64Array, count: number): void {
  const dense = present.of(count);
  let taken = 0;
  for (let index = 0; index < count; index += 1) {
    const value = numbers[index] as number;
    if (!Number.isNaN(value)) dense[taken++] = value;
  }
  const integers = scaled.of(taken);
  const scale = scaleNumbers(dense, taken, integers);
  into.byte(scale + (taken < count ? HAS_GAPS : 0));
  if (taken < count) writePresence(into, numbers, count);
  if (scale < DOUBLES) writeIntegers(into, integers, taken);
  else writeDoubles(into, dense, taken);
}

/** Reads `count` numbers that `writeNumbers` has written; NaN stands for an absent one. */
export function readNumbers(from: ByteReader, count: number): Float64Array {
  const numbers = new Float64Array(count);
  fillNumbers(from, numbers, count);
  return numbers;
}

/** The same into the first `count` of `numbers`. */
export function fillNumbers(from: ByteReader, numbers: Float64Array, count: number): void {
  const kind = from.byte();
  if (kind > (DOUBLES | HAS_GAPS)) throw new MalformedBytesError(`numbers of the unknown kind ${kind}`);
  const scale = kind & 7;
  const bits = kind & HAS_GAPS ? from.raw(Math.ceil(count / 8)) : null;
  const taken = bits === null ? count : countBits(bits, count);
  if (scale === DOUBLES) readDoubles(from, numbers, taken);
  else {
    readIntegers(from, numbers, taken);
    const factor = FACTORS[scale] as number;
    if (factor !== 1)
      for (let index = 0; index < taken; index += 1) numbers[index] = (numbers[index] as number) / factor;
  }
  if (bits !== null) spread(numbers, bits, taken, count);
}

/**
 * Fills `integers` with the numbers times the least power of ten for which all of them can be restored exactly, and
 * returns its exponent; returns DOUBLES if there is none.
 */
export function scaleNumbers(numbers: Float64Array, count: number, integers: Float64Array): number {
  let scale = 0;
  let index = 0;
  while (index < count) {
    const factor = FACTORS[scale] as number;
    for (; index < count; index += 1) {
      const value = numbers[index] as number;
      // Math.round branches on what no processor predicts. Where this rounds otherwise, the number is not restored either way.
      const integer = Math.floor(value * factor + 0.5);
      if (integer / factor !== value || integer > MAX_INTEGER || integer < -MAX_INTEGER) break;
      if (integer === 0 && 1 / value < 0) return DOUBLES;
      integers[index] = integer;
    }
    if (index === count) return scale;
    scale += 1;
    if (scale === DOUBLES || Math.abs(numbers[index] as number) > MAX_INTEGER) return DOUBLES;
    index = 0;
  }
  return scale;
}

function writePresence(into: ByteWriter, numbers: Float64Array, count: number): void {
  for (let start = 0; start < count; start += 8) {
    let bits = 0;
    const end = Math.min(start + 8, count);
    for (let index = start; index < end; index += 1)
      if (!Number.isNaN(numbers[index])) bits |= 1 << (index - start);
    into.byte(bits);
  }
}

function countBits(bits: Buffer, count: number): number {
  let taken = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) taken += 1;
  const spare = bits.length * 8 - count;
  if (spare > 0 && (bits.at(-1) as number) >> (8 - spare) !== 0)
    throw new MalformedBytesError('a number behind the last row');
  return taken;
}

/** Moves the first `taken` numbers to the rows that have one, from the last on, and fills the other rows with NaN. */
function spread(numbers: Float64Array, bits: Buffer, taken: number, count: number): void {
  let from = taken;
  for (let row = count - 1; row >= 0; row -= 1) {
    const isPresent = ((bits[row >> 3] as number) >> (row & 7)) & 1;
    numbers[row] = isPresent === 1 ? (numbers[--from] as number) : Number.NaN;
  }
}

function writeDoubles(into: ByteWriter, numbers: Float64Array, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const value = numbers[index] as number;
    if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be stored; a number has to be finite`);
    into.double(value);
  }
}

function readDoubles(from: ByteReader, numbers: Float64Array, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const value = from.double();
    if (!Number.isFinite(value)) throw new MalformedBytesError('a number is not finite');
    numbers[index] = value;
  }
}
