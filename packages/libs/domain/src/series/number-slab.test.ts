import { expect, test } from 'vitest';
import { NumberSlab } from './number-slab.ts';

test('arrays of a slab have the requested length and initial value, and do not overlap', () => {
  const slab = new NumberSlab();
  const arrays = Array.from({ length: 5_000 }, (_, index) => slab.take(1 + (index % 16), index));
  for (const [index, array] of arrays.entries())
    expect(array).toEqual(new Float64Array(1 + (index % 16)).fill(index));
});

test('arrays of a slab share memory', () => {
  const slab = new NumberSlab();
  expect(slab.take(16, 0).buffer).toBe(slab.take(64, 0).buffer);
});

test('reserved numbers are at the returned position', () => {
  const slab = new NumberSlab();
  const places = Array.from({ length: 5_000 }, (_, index) => {
    const first = slab.reserve(12, index);
    return { piece: slab.piece, first };
  });
  for (const [index, { piece, first }] of places.entries())
    expect(piece.subarray(first, first + 12)).toEqual(new Float64Array(12).fill(index));
  expect(slab.take(1, 7)).toEqual(new Float64Array([7]));
});
