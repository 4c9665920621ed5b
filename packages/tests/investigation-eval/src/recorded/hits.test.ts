import { expect, test } from 'vitest';
import { hitsOf, orderOf } from './hits.ts';

test('orderOf keeps ties in the given order and puts candidates without a score last', () => {
  const scores = new Map([
    ['b', 1],
    ['c', 2],
    ['d', 1],
  ]);
  expect(orderOf(['a', 'd', 'b', 'c'], scores)).toEqual(['c', 'd', 'b', 'a']);
});

test('hitsOf counts a cause at first, among three, and as a share of the first n', () => {
  const causes = new Set(['b', 'd']);
  expect(hitsOf(['b', 'a', 'c', 'd'], causes)).toEqual({ top1: 1, top3: 1, firstN: 0.5 });
  expect(hitsOf(['a', 'c', 'e', 'd'], causes)).toEqual({ top1: 0, top3: 0, firstN: 0 });
  expect(hitsOf(['b', 'd', 'a'], causes)).toEqual({ top1: 1, top3: 1, firstN: 1 });
});
