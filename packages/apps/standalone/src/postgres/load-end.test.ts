import { expect, test } from 'vitest';
import { LoadEnd } from './load-end.ts';

const MIB = 2 ** 20;
const EVERY_MS = 3_000;

/** Returns the places at which a load has ended, where the log grows by so many MiB from one observation to the next; null is a checkpoint. */
function endsOf(growths: readonly (number | null)[]): number[] {
  const load = new LoadEnd();
  let bytes = 100 * MIB;
  load.observe(bytes, 0);
  return growths.flatMap((growth, place) => {
    bytes = growth === null ? 0 : bytes + growth * MIB;
    return load.observe(bytes, place * EVERY_MS) ? [place] : [];
  });
}

test('a load has ended when the log grows by less than a quarter of its fastest growth twice in a row', () => {
  expect(endsOf([30, 40, 35, 9, 12, 9, 9, 9, 9])).toEqual([6]);
});

test('a steady load does not end, and neither does one that leaves little to redo', () => {
  expect(endsOf(new Array<number>(400).fill(20))).toEqual([]);
  expect(endsOf([null, 30, 30, 0, 0, 0])).toEqual([]);
});

test('what was written before the first observation is no load that ends', () => {
  expect(endsOf([0, 0, 0, 0])).toEqual([]);
});

test('a checkpoint of the server begins a new load', () => {
  expect(endsOf([90, 90, 90, null, 2, 2, 2, 30, 30, 2, 2])).toEqual([10]);
});

test('loads end at most every five minutes', () => {
  const bursts = Array.from({ length: 200 }, (_, place) => [80, 0, 0, null][place % 4] ?? null);
  expect(endsOf(bursts)).toEqual([2, 102]);
});
