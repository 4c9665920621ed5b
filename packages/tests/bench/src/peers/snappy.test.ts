import { expect, test } from 'vitest';
import { snappyLiterals, varint } from './snappy.ts';

test.each([
  [0, [0]],
  [127, [127]],
  [300, [0xac, 0x02]],
  [1_700_000_000_000, [0x80, 0xd0, 0x95, 0xff, 0xbc, 0x31]],
])('varint of %i', (value, bytes) => expect([...varint(value)]).toEqual(bytes));

test('snappyLiterals writes a valid snappy block of literals', () => {
  const block = snappyLiterals(Buffer.alloc(65_537, 7));
  expect(block.length).toBe(3 + 3 + 65_536 + 3 + 1);
  expect([...block.subarray(3, 6)]).toEqual([0xf4, 0xff, 0xff]);
  expect([...block.subarray(-4)]).toEqual([0xf4, 0, 0, 7]);
});
