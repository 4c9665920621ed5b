import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import { LOUD, QUIET, stretchesOf, UNCLEAR } from './stretches.ts';

const LETTERS: Record<string, number> = { q: QUIET, u: UNCLEAR, L: LOUD };

/**
 * Hours are given by letters, `.` for an hour without values; stretches are returned as `[from, to)` in hours, with `!` if
 * only the first value is evaluated.
 */
function stretches(
  pattern: string,
  reach: { windowHours?: number; keepFiringHours?: number } = {},
): string[] {
  const hours = [...pattern].flatMap((letter, index) =>
    letter === '.' ? [] : [{ start: index * HOUR_MS, loudness: LETTERS[letter] as number, values: 60 }],
  );
  const { windowHours = 0, keepFiringHours = 0 } = reach;
  return stretchesOf(hours, {
    windowMs: windowHours * HOUR_MS,
    keepFiringMs: keepFiringHours * HOUR_MS,
  }).map(({ from, to, firstOnly }) => `${from / HOUR_MS}-${to / HOUR_MS}${firstOnly ? '!' : ''}`);
}

describe('stretches that have to be evaluated', () => {
  it.each([
    ['nothing where no hour can breach', 'qquuq', {}, []],
    ['a loud hour and the first value after it', 'qqLqq', {}, ['2-3', '3-4!']],
    ['the first value may come after a silence', 'L...qq', {}, ['0-1', '4-5!']],
    ['loud hours in a row are one', 'LLLq', {}, ['0-3', '3-4!']],
    ['what is not past a recovery threshold keeps an alert open', 'qLuuqq', {}, ['1-4', '4-5!']],
    ['an hour between loud ones', 'LqLqq', {}, ['0-1', '1-2!', '2-3', '3-4!']],
    [
      'a rule that keeps firing needs values until that time has passed',
      'Lqqqqq',
      { keepFiringHours: 1 },
      ['0-4'],
    ],
    ['values beyond that time count whenever they come', 'Lq....uq', { keepFiringHours: 2 }, ['0-2', '6-7']],
    [
      'a window makes hours loud that it reaches back from',
      'LqqqQ'.toLowerCase().replace('l', 'L'),
      { windowHours: 1 },
      ['0-4'],
    ],
    ['the end of what is there', 'qqL', {}, ['2-3']],
  ])('%s', (_, pattern, reach, expected) => {
    expect(stretches(pattern, reach)).toEqual(expected);
  });
});
