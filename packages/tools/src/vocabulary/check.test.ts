import { expect, it } from 'vitest';
import { replacedWordsIn } from './check.ts';

it.each([
  ['const judgedAt = 1;', ['judged']],
  ['  JUDGED_AT,', ['judged']],
  ['select judged_at from x', ['judged']],
  ['class AlertPairState {}', ['pair']],
  ['it was told to nobody', ['told']],
  ['const MOST_ROWS = 5;', ['MOST_R']],
  ['const longestPauseMs = 5;', ['longestP']],
  ['it lets go of memory', ['lets go']],
])('finds the replaced word in "%s"', (line, words) => {
  expect(replacedWordsIn(line).map(({ word }) => word)).toEqual(words);
});

it.each([
  'evaluates at most 500 alert instances',
  'a lone half of a surrogate pair',
  'TimescaleDB Apache 2 Edition',
  'embedded, parameters, something, repaired, metric',
])('accepts "%s"', (line) => {
  expect(replacedWordsIn(line)).toEqual([]);
});
