import { ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyNumber, bitsOf, columnOf, HARD_NUMBERS } from './numbers.fixture.ts';
import { readNumbers, writeNumbers } from './numbers.ts';

function written(numbers: ArrayLike<number>): Buffer {
  const into = new ByteWriter();
  writeNumbers(into, Float64Array.from(numbers), numbers.length);
  return Buffer.from(into.bytes());
}

function readBack(numbers: ArrayLike<number>): Float64Array {
  const reader = new ByteReader(written(numbers));
  const read = readNumbers(reader, numbers.length);
  expect(reader.isAtEnd).toBe(true);
  return read;
}

test.each([
  ['one number with two decimals', [57.31], '02 c6 59 00 00'],
  ['a constant', [5, 5, 5, 5], '00 0a 00 00'],
  ['an even rise, which needs no frame', [10, 20, 30], '00 14 14 00'],
  ['pages, divided by their size', [8_192, 4_096, 12_288], '00 80 80 01 00 80 20 01 ff 02'],
  ['hundredths, a byte for each distance', [1.5, 1.25, 1.27], '02 ac 02 00 01 01 e7 02'],
  ['an absent number, by its bit', [1, Number.NaN, 1], '08 05 02 00 00'],
  ['minus zero, as doubles', [-0], '07 00 00 00 00 00 00 00 80'],
])('writes %s', (_, numbers, expected) => {
  expect(written(numbers).toString('hex').replace(/..\B/g, '$& ')).toBe(expected);
  expect(bitsOf(readBack(numbers))).toBe(bitsOf(Float64Array.from(numbers)));
});

test.each(HARD_NUMBERS)('reads %d back bit for bit, alone and beside others', (number) => {
  for (const numbers of [[number], [number, 1.5, number], [2 ** 50, number, -(2 ** 50)]])
    expect(bitsOf(readBack(numbers))).toBe(bitsOf(Float64Array.from(numbers)));
});

test('reads columns of every kind and length back bit for bit', () => {
  const columns = fc
    .tuple(fc.integer({ min: 0, max: 200 }), fc.constantFrom(0, 0, 5, 100))
    .chain(([count, gaps]) => columnOf(count, gaps));
  fc.assert(
    fc.property(columns, (column) => {
      expect(bitsOf(readBack(column))).toBe(bitsOf(column));
    }),
    { numRuns: 500 },
  );
});

test('reads any finite number back bit for bit', () => {
  fc.assert(
    fc.property(anyNumber, (number) => {
      expect(Object.is(readBack([number])[0], number)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %d', (number) => {
  expect(() => written([1, number])).toThrow(RangeError);
});

test.each([
  ['an unknown kind', '10'],
  ['a bit behind the last row', '08 0f'],
  ['an unknown width', '00 02 00 01 05 00 00'],
  ['an infinite double', '07 00 00 00 00 00 00 f0 7f 00 00 00 00 00 00 f0 7f'],
  ['a missing frame', '00 02 00 01'],
])('throws MalformedBytesError for %s', (_, hex) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  expect(() => readNumbers(new ByteReader(bytes), 3)).toThrow(MalformedBytesError);
});
