import { expect, it } from 'vitest';
import { keyStep } from './key-sequence.ts';
import { shownShortcuts } from './shortcut-words.ts';

const WORKING = new Set(['a', 'g a', 'g o', '?', 'u', '=', '+']);

it.each([
  ['', 'a', 'a', ''],
  ['', 'g', null, 'g'],
  ['g', 'a', 'g a', ''],
  ['g', 'u', null, ''],
  ['', 'z', null, ''],
])('after %j the key %s completes %s, and %j is pending', (pending, key, completed, next) => {
  expect(keyStep(pending, key, WORKING)).toEqual({ completed, pending: next });
});

it('lists the shortcuts that work, those of two keys as two, and no key twice', () => {
  expect(shownShortcuts('everywhere', WORKING).map(({ keys }) => keys)).toEqual([
    ['?'],
    ['g', 'o'],
    ['g', 'a'],
    ['u'],
  ]);
  expect(shownShortcuts('page', WORKING).map(({ keys }) => keys)).toEqual([['a'], ['+']]);
});
