import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChunkColumns, ChunkReader, decodeChunk, encodeChunk } from './chunk.ts';
import { unnoticed } from './damage.fixture.ts';
import { GrowingSamples } from './growing-samples.ts';
import { bitsOf, columnOf } from './numbers.fixture.ts';
import { PEEKED_BYTES, peekSlots } from './slot-parts.ts';

const BEGIN = Date.UTC(2026, 10, 29, 12);

const timesOf = (count: number, step = 10_000) =>
  Float64Array.from({ length: count }, (_, row) => BEGIN + row * step);

const chunkOf = (times: ArrayLike<number>, columns: Record<number, ArrayLike<number>>): ChunkColumns => ({
  times: Float64Array.from(times),
  slots: Array.from({ length: 16 }, (_, slot) => {
    const column = columns[slot];
    return column === undefined ? null : Float64Array.from(column);
  }),
});

const plain = ({ times, slots }: ChunkColumns) => [bitsOf(times), slots.map((slot) => slot && bitsOf(slot))];

/** A constant, a walk with a gap, and doubles. */
const EXAMPLE = chunkOf(timesOf(4), {
  0: [7, 7, 7, 7],
  3: [1.5, Number.NaN, 1.25, 1.27],
  15: [1 / 3, -0, 5e-324, 1e300],
});

test('reads an example back', () => {
  expect(plain(decodeChunk(encodeChunk(EXAMPLE)))).toEqual(plain(EXAMPLE));
});

test('a chunk of one constant has a head of 19 bytes and a column of 4', () => {
  const bytes = encodeChunk(chunkOf(timesOf(30), { 2: new Array(30).fill(5) }));
  // Version, checksum, length; mask, length and checksum of the column, count; first time, step, divisor.
  expect(bytes.length).toBe(1 + 4 + 1 + 2 + 1 + 4 + 1 + 6 + 3 + 1 + 4);
  expect([bytes[0], bytes.subarray(-4).toString('hex')]).toEqual([1, '000a0000']);
});

test('reads one slot, and knows which there are', () => {
  const reader = new ChunkReader(encodeChunk(EXAMPLE));
  expect([reader.count, reader.mask]).toEqual([4, 0b1000_0000_0000_1001]);
  expect([reader.slot(0), reader.slot(1)]).toEqual([Float64Array.of(7, 7, 7, 7), null]);
});

test('reads a column that was fetched without the others', () => {
  const bytes = encodeChunk(EXAMPLE);
  const { start, end } = new ChunkReader(bytes).columnPlace(3) as { start: number; end: number };
  const head = new ChunkReader(bytes.subarray(0, start), false);
  expect(head.columnPlace(3)).toMatchObject({ start, end });
  expect(head.column(3, bytes.subarray(start, end))).toEqual(EXAMPLE.slots[3]);
  expect(() => head.slot(3)).toThrow(MalformedBytesError);
  expect(() => head.column(0, bytes.subarray(start, end))).toThrow(MalformedBytesError);
  expect(() => head.column(1, bytes)).toThrow(RangeError);
});

test('reads chunks with columns, times and gaps of every kind back bit for bit', () => {
  const chunks = fc.integer({ min: 1, max: 150 }).chain((count) =>
    fc.record({
      times: fc
        .tuple(
          fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: count, maxLength: count }),
          fc.boolean(),
        )
        .map(([steps, isEven]) => {
          let time = BEGIN;
          return Float64Array.from(steps, (step) => {
            time += isEven ? 10_000 : step;
            return time;
          });
        }),
      slots: fc.array(fc.oneof(columnOf(count, 0), columnOf(count, 10), fc.constant(null)), {
        minLength: 16,
        maxLength: 16,
      }),
    }),
  );
  fc.assert(
    fc.property(chunks, (chunk) => {
      expect(plain(decodeChunk(encodeChunk(chunk)))).toEqual(plain(chunk));
    }),
    { numRuns: 100 },
  );
});

test('a day of 8,640 rows comes back, in less than two bytes a number', () => {
  let value = 5_000;
  const walk = Array.from({ length: 8_640 }, (_, row) => {
    value += ((row * 7_919) % 201) - 100;
    return value / 100;
  });
  const chunk = chunkOf(timesOf(8_640), { 0: walk });
  const bytes = encodeChunk(chunk);
  expect(plain(decodeChunk(bytes))).toEqual(plain(chunk));
  expect(bytes.length).toBeLessThan(2 * 8_640);
});

test('every cut and every changed byte is found', () => {
  expect(unnoticed(encodeChunk(EXAMPLE), decodeChunk, MalformedBytesError)).toEqual([]);
});

test('random bytes are never read as a chunk', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => decodeChunk(Buffer.from([1, ...bytes]))).toThrow(MalformedBytesError);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['no rows', chunkOf([], { 0: [] })],
  ['times that fall', chunkOf([2, 1], { 0: [1, 2] })],
  ['a time twice', chunkOf([2, 2], { 0: [1, 2] })],
  ['half a millisecond', chunkOf([0.5], { 0: [1] })],
  ['an absent time', chunkOf([Number.NaN], { 0: [1] })],
  ['a column of another length', chunkOf([1, 2], { 0: [1] })],
  ['an infinite number', chunkOf([1], { 0: [Number.POSITIVE_INFINITY] })],
  ['more than sixteen slots', { times: timesOf(1), slots: new Array(17).fill(null) }],
])('refuses %s', (_, chunk) => {
  expect(() => encodeChunk(chunk)).toThrow(RangeError);
});

test('says from its first bytes where the head ends and a column lies', () => {
  const bytes = encodeChunk(chunkOf([1, 2, 40, 41], { 0: [7, 7, 7, 7], 3: [1.5, Number.NaN, 1.25, 1.27] }));
  const { headEnd, places } = peekSlots(bytes.subarray(0, PEEKED_BYTES));
  const { start, end } = places.of(3) as { start: number; end: number };
  const head = new ChunkReader(bytes.subarray(0, headEnd), false);
  expect([...head.times()]).toEqual([1, 2, 40, 41]);
  expect(head.column(3, bytes.subarray(start, end))).toEqual(Float64Array.of(1.5, Number.NaN, 1.25, 1.27));
  expect(() => peekSlots(bytes.subarray(0, 12))).toThrow(MalformedBytesError);
});

test('adds the samples of a slot within a range, without rows that have none', () => {
  const reader = new ChunkReader(encodeChunk(chunkOf([1, 2, 40, 41], { 3: [1.5, Number.NaN, 1.25, 1.27] })));
  const samples = new GrowingSamples();
  const plainly = () => Object.values(samples.columns()).map((column) => [...column]);
  reader.addTo(samples, 3, 2, 41);
  expect(plainly()).toEqual([[40], [1.25]]);
  reader.addTo(samples, 3, 0, 100);
  reader.addTo(samples, 0, 0, 100);
  reader.addTo(samples, 3, 42, 100);
  expect(plainly()).toEqual([
    [40, 1, 40, 41],
    [1.25, 1.5, 1.25, 1.27],
  ]);
  samples.clear();
  for (let round = 0; round < 40; round += 1) reader.addTo(samples, 3, 0, 100);
  expect([samples.length, samples.columns().values.at(-1)]).toEqual([120, 1.27]);
});

test('reads chunks that lie behind each other', () => {
  const chunks = [EXAMPLE, chunkOf([1], { 5: [3] }), EXAMPLE];
  const bytes = Buffer.concat(chunks.map(encodeChunk));
  const readers = ChunkReader.all(bytes);
  expect(readers.map((reader) => [...reader.times()])).toEqual(chunks.map(({ times }) => [...times]));
  expect(readers.map((reader) => reader.slot(5))).toEqual([null, Float64Array.of(3), null]);
  expect(readers.map((reader) => reader.slot(15))).toEqual([EXAMPLE.slots[15], null, EXAMPLE.slots[15]]);
  expect(ChunkReader.all(Buffer.alloc(0))).toEqual([]);
  expect(() => ChunkReader.all(bytes.subarray(0, bytes.length - 1))).toThrow(MalformedBytesError);
  expect(() => ChunkReader.all(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(MalformedBytesError);
});
