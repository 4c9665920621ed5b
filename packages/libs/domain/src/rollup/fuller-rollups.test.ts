import { expect, test } from 'vitest';
import { emptyColumns } from './day-rollups.ts';
import { coarserRollups, fullerRollups } from './fuller-rollups.ts';

const columns = (...steps: ([sum: number, count: number, min: number, max: number] | null)[]) => {
  const all = emptyColumns(steps.length);
  for (const [step, each] of steps.entries())
    if (each !== null) [all.sums[step], all.counts[step], all.mins[step], all.maxs[step]] = each;
  return all;
};

test('of two rollups each step is the one of more samples, and of equal counts the first', () => {
  const first = [columns([3, 2, 1, 2], null, [5, 1, 5, 5], null), null, null];
  const second = [columns([9, 2, 4, 5], [7, 1, 7, 7], [11, 2, 5, 6], null), columns([1, 1, 1, 1]), null];
  expect(fullerRollups(first, second)).toEqual([
    columns([3, 2, 1, 2], [7, 1, 7, 7], [11, 2, 5, 6], null),
    columns([1, 1, 1, 1]),
    null,
  ]);
});

test('rollups of nothing leave the others as they are', () => {
  const some = [columns([3, 2, 1, 2]), null];
  expect(fullerRollups([], some)).toEqual(some);
  expect(fullerRollups(some, [])).toEqual(some);
});

test('coarser rollups add up the steps of each slot', () => {
  const finer = [columns([3, 2, 1, 2], null, null, null, [4, 1, 4, 4], [5, 2, 2, 3]), null];
  expect(coarserRollups(finer, 3)).toEqual([columns([3, 2, 1, 2], [9, 3, 2, 4]), null]);
});
