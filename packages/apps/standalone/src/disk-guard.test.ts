import { expect, test } from 'vitest';
import { shortage } from './disk-guard.ts';

const GIB = 2 ** 30;
const limits = { minFreeBytes: GIB, minFreePercent: 5 };

test.each([
  ['plenty', 50 * GIB, 100 * GIB, null],
  ['exactly the limits', 5 * GIB, 100 * GIB, null],
  ['less than five percent', 4 * GIB, 100 * GIB, 'The disk has 4096 MiB (4.0 %) of free space left.'],
  ['less than a gibibyte', GIB / 2, 2 * GIB, 'The disk has 512 MiB (25.0 %) of free space left.'],
])('%s', (_name, free, total, expected) => {
  expect(shortage(free, total, limits)).toBe(expected);
});
