import { expect, test } from 'vitest';
import { misnumbered } from './migration-numbers.ts';

test('migrations are numbered from 1 on without gaps, whatever their order in the folder', () => {
  expect(misnumbered(['0002_more', '0001_baseline', '0003_rest'])).toEqual([]);
});

test('two migrations of one number and a gap are found', () => {
  expect(misnumbered(['0001_baseline', '0002_counts', '0002_names'])).toEqual([
    'packages/libs/store/migrations/0002_names should have the number 0003',
  ]);
  expect(misnumbered(['0001_baseline', '0003_names'])).toEqual([
    'packages/libs/store/migrations/0003_names should have the number 0002',
  ]);
});
