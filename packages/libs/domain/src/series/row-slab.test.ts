import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOUBLES_IN_A_ROW, RowSlab } from './row-slab.ts';

test('rows never overlap, whichever rows were released between', () => {
  const numbers = fc.array(fc.double(), { minLength: DOUBLES_IN_A_ROW, maxLength: DOUBLES_IN_A_ROW });
  const step = fc.oneof(numbers, fc.nat({ max: 40 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slab = new RowSlab();
      const held: { row: number; numbers: number[] }[] = [];
      for (const each of steps) {
        if (typeof each === 'number') {
          const [gone] = held.splice(each, 1);
          if (gone) slab.giveBack(gone.row);
        } else {
          const row = slab.take();
          for (const [place, number] of each.entries()) slab.setDouble(row, place, number);
          held.push({ row, numbers: each });
        }
      }
      for (const { row, numbers: kept } of held)
        expect(kept.map((_, place) => slab.double(row, place))).toEqual(kept);
      expect(slab.held).toBe(held.length);
    }),
  );
});

test('each double of a row can be used as two words of 32 bits', () => {
  const word = fc.integer({ min: 0, max: 0xffff_ffff });
  const words = fc.array(word, { minLength: 2 * DOUBLES_IN_A_ROW, maxLength: 2 * DOUBLES_IN_A_ROW });
  fc.assert(
    fc.property(words, words, (one, other) => {
      const slab = new RowSlab();
      const rows = [one, other].map((kept) => ({ row: slab.take(), kept }));
      for (const { row, kept } of rows)
        for (const [place, each] of kept.entries()) slab.setWord(row, place, each);
      for (const { row, kept } of rows) expect(kept.map((_, place) => slab.word(row, place))).toEqual(kept);
    }),
  );
});

test('the memory of many rows is released once they are given back, except for one piece', () => {
  const slab = new RowSlab();
  const rows = Array.from({ length: 10_000 }, () => slab.take());
  expect(new Set(rows).size).toBe(rows.length);
  expect([slab.held, slab.pieces]).toEqual([10_000, 10]);
  for (const row of rows) slab.giveBack(row);
  expect([slab.held, slab.pieces]).toEqual([0, 1]);
  const again = Array.from({ length: 3_000 }, () => slab.take());
  for (const row of again) slab.setDouble(row, 0, row);
  for (const row of again) expect(slab.double(row, 0)).toBe(row);
  expect([slab.held, slab.pieces]).toEqual([3_000, 3]);
});
