import { expect, it } from 'vitest';
import { windowsOf } from './windows.ts';

it.each<[string, number[], number, number, [number, number][]]>([
  ['nothing', [], 4, 100, []],
  ['one bucket', [50], 4, 100, [[50, 60]]],
  ['neighbours, in any order and twice', [70, 50, 60, 50], 4, 100, [[50, 80]]],
  [
    'apart',
    [0, 50],
    4,
    100,
    [
      [0, 10],
      [50, 60],
    ],
  ],
  [
    'too many: the narrowest gaps are bridged',
    [0, 20, 100, 130],
    2,
    1000,
    [
      [0, 30],
      [100, 140],
    ],
  ],
  ['one allowed', [0, 500], 1, 1000, [[0, 510]]],
  [
    'long ones are cut',
    [0, 10, 20, 30, 40],
    4,
    20,
    [
      [0, 20],
      [20, 40],
      [40, 50],
    ],
  ],
])('%s', (_, buckets, most, longest, wanted) => {
  expect(windowsOf(buckets, 10, most, longest).map(({ from, to }) => [from, to])).toEqual(wanted);
});
