import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RollupAccumulator } from './accumulator.ts';
import { MAX_SUMMAND } from './summand.ts';

const row = (values: Record<number, number>) =>
  Array.from({ length: 16 }, (_, slot) => values[slot] ?? Number.NaN);

test('an accumulator is empty when a bucket is opened', () => {
  const accumulator = new RollupAccumulator();
  expect([accumulator.bucket, accumulator.isEmpty]).toEqual([null, true]);
  accumulator.open(60_000);
  expect([accumulator.bucket, accumulator.isEmpty, accumulator.count(3)]).toEqual([60_000, true, 0]);
});

test('a single value, positive or negative, is both the min and the max of its slot', () => {
  const accumulator = new RollupAccumulator();
  accumulator.addRow(row({ 0: 5, 1: -5 }));
  expect([accumulator.min(0), accumulator.max(0), accumulator.min(1), accumulator.max(1)]).toEqual([
    5, 5, -5, -5,
  ]);
});

test('addRow reads a row within a longer array', () => {
  const accumulator = new RollupAccumulator();
  accumulator.addRow(Float64Array.from([...row({ 0: 1 }), ...row({ 0: 2, 15: 3 })]), 16);
  expect([accumulator.sum(0), accumulator.sum(15), accumulator.count(15)]).toEqual([2, 3, 1]);
});

test('opening another bucket forgets the one before', () => {
  const accumulator = new RollupAccumulator();
  accumulator.open(0);
  accumulator.add(4, 100);
  accumulator.open(60_000);
  accumulator.add(4, 7);
  expect([accumulator.count(4), accumulator.sum(4), accumulator.min(4), accumulator.max(4)]).toEqual([
    1, 7, 7, 7,
  ]);
});

test('an accumulator has the same statistics as a list of all values', () => {
  const value = fc.option(fc.integer({ min: -1_000, max: 1_000 }), { nil: Number.NaN });
  const rows = fc.array(fc.array(value, { minLength: 16, maxLength: 16 }), { maxLength: 30 });
  fc.assert(
    fc.property(rows, (all) => {
      const accumulator = new RollupAccumulator();
      accumulator.open(0);
      for (const values of all) accumulator.addRow(values);
      for (let slot = 0; slot < 16; slot += 1) {
        const present = all.map((values) => values[slot] as number).filter((number) => !Number.isNaN(number));
        expect(accumulator.count(slot)).toBe(present.length);
        if (present.length === 0) continue;
        expect([accumulator.sum(slot), accumulator.min(slot), accumulator.max(slot)]).toEqual([
          present.reduce((sum, number) => sum + number, 0),
          Math.min(...present),
          Math.max(...present),
        ]);
      }
      expect(accumulator.isEmpty).toBe(all.flat().every(Number.isNaN));
    }),
  );
});

test('the sum of the largest values stays finite, while min and max are exact', () => {
  const accumulator = new RollupAccumulator();
  for (const value of [Number.MAX_VALUE, Number.MAX_VALUE]) accumulator.addRow(row({ 0: value, 1: -value }));
  expect([accumulator.sum(0), accumulator.sum(1)]).toEqual([2 * MAX_SUMMAND, -2 * MAX_SUMMAND]);
  expect([accumulator.max(0), accumulator.min(1)]).toEqual([Number.MAX_VALUE, -Number.MAX_VALUE]);
});
