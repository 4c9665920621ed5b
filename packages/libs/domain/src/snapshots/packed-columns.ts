import { type ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { readNumbers, writeNumbers } from '../chunk/numbers.ts';

/** The max length of a column: of an hour in which a host lists a thousand processes each second. */
const MAX_NUMBERS = 3_600_000;

/** Writes how many numbers follow, and the numbers; NaN is an absent one. */
export function writeColumn(into: ByteWriter, numbers: number[] | Float64Array): void {
  into.varint(numbers.length);
  writeNumbers(into, numbers instanceof Float64Array ? numbers : new Float64Array(numbers), numbers.length);
}

/** Reads a column of any length. */
export function readColumn(from: ByteReader): Float64Array {
  const count = from.varint();
  if (count > MAX_NUMBERS) throw new MalformedBytesError(`a column of ${count} numbers`);
  return readNumbers(from, count);
}

/** Reads a column of `count` numbers. */
export function readColumnOf(from: ByteReader, count: number): Float64Array {
  const numbers = readColumn(from);
  if (numbers.length !== count)
    throw new MalformedBytesError(`a column of ${numbers.length} numbers, not ${count}`);
  return numbers;
}

/** Returns a number that has to be an integer from 0 to below `end`. */
export function requireIndex(value: number | undefined, end: number): number {
  if (value === undefined || !Number.isInteger(value) || value < 0 || value >= end)
    throw new MalformedBytesError(`${value} is no index of ${end}`);
  return value;
}

/** The texts of a pack, each of which is written once. */
export class PackedTexts {
  readonly #indexes = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.#indexes.size);
    return this.#indexes.size - 1;
  }

  write(into: ByteWriter): void {
    into.varint(this.#indexes.size);
    for (const text of this.#indexes.keys()) into.text(text);
  }
}

/** Reads the texts that PackedTexts has written. */
export function readTexts(from: ByteReader): string[] {
  const texts: string[] = [];
  for (let rest = from.count(); rest > 0; rest -= 1) texts.push(from.text());
  return texts;
}
