import { ByteReader } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { expect, test } from 'vitest';
import { readFrames, writeFrames } from './frames.ts';

function written(integers: readonly number[]): Buffer {
  const into = new ByteWriter();
  writeFrames(into, Float64Array.from(integers), integers.length);
  return Buffer.from(into.bytes());
}

function readBack(bytes: Buffer, count: number): number[] {
  const integers = new Float64Array(count);
  readFrames(new ByteReader(bytes), integers, count);
  return [...integers];
}

test.each([
  [0, [0, 0]],
  [1, [127, -128]],
  [2, [128, 0]],
  [2, [-129, 0]],
  [2, [2 ** 15 - 1, -(2 ** 15)]],
  [3, [2 ** 15, 0]],
  [3, [-(2 ** 15) - 1, 0]],
  [3, [2 ** 23 - 1, -(2 ** 23)]],
  [4, [2 ** 23, 0]],
  [4, [-(2 ** 23) - 1, 0]],
  [4, [2 ** 31 - 1, -(2 ** 31)]],
  [8, [2 ** 31, 0]],
  [8, [-(2 ** 31) - 1, 0]],
  [8, [2 ** 53, -(2 ** 53)]],
])('an integer takes %i bytes in a frame of %j', (width, integers) => {
  const bytes = written(integers);
  expect([bytes[0], bytes.length]).toEqual([width, 1 + 2 * width]);
  expect(readBack(bytes, 2)).toEqual(integers);
});

test('a large integer widens only the frame of 64 in which it stands', () => {
  const integers = Array.from({ length: 130 }, (_, index) => (index === 70 ? 1_000_000 : index % 100));
  const bytes = written(integers);
  expect(bytes.length).toBe(1 + 64 + (1 + 64 * 3) + (1 + 2));
  expect(readBack(bytes, 130)).toEqual(integers);
});
