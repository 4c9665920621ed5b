import { expect, it } from 'vitest';
import { cursorAfterKey, rangeAfterKey } from './keys.ts';

const points = Array.from({ length: 30 }, (_, index) => ({ t: index * 10 }));

it.each([
  ['ArrowLeft', false, null, 290],
  ['ArrowRight', false, null, 290],
  ['ArrowLeft', false, 290, 280],
  ['ArrowRight', false, 290, 290],
  ['ArrowLeft', true, 290, 190],
  ['ArrowLeft', true, 20, 0],
  ['Home', false, 100, 0],
  ['End', false, null, 290],
  ['ArrowRight', false, 103, 110],
  ['a', false, 100, undefined],
])('%s with Shift %s moves the cursor from %s to %s', (key, shiftKey, at, next) => {
  expect(cursorAfterKey({ key, shiftKey }, points, at)).toBe(next);
});

it('has no cursor without points', () => {
  expect(cursorAfterKey({ key: 'ArrowLeft', shiftKey: false }, [], null)).toBeUndefined();
});

it.each([
  ['+', { from: 125_000, to: 175_000 }],
  ['-', { from: 50_000, to: 250_000 }],
  ['[', { from: 50_000, to: 150_000 }],
  [']', { from: 150_000, to: 250_000 }],
  ['x', undefined],
])('%s changes the range', (key, range) => {
  expect(rangeAfterKey(key, { from: 100_000, to: 200_000 })).toEqual(range);
});
