import { expect, it } from 'vitest';
import { isSameRow, rowAfterKey } from './rows.ts';

it.each([
  ['ArrowDown', 3, 4],
  ['j', 3, 4],
  ['ArrowUp', 3, 2],
  ['k', 0, 0],
  ['j', 99, 99],
  ['PageDown', 3, 13],
  ['PageDown', 95, 99],
  ['PageUp', 3, 0],
  ['Home', 50, 0],
  ['End', 50, 99],
])('%s moves from row %i of 100 to row %i', (key, row, next) => {
  expect(rowAfterKey(key, row, 100, 10)).toBe(next);
});

it('other keys, and any key in an empty table, do not move the focus', () => {
  expect(rowAfterKey('a', 3, 100, 10)).toBeUndefined();
  expect(rowAfterKey('ArrowDown', 0, 0, 10)).toBeUndefined();
});

it('rows are the same where each of their members is', () => {
  const alert = { id: 'alr_1' };
  expect(isSameRow({ alert, isNew: false }, { alert, isNew: false })).toBe(true);
  expect(isSameRow({ alert, isNew: false }, { alert, isNew: true })).toBe(false);
  expect(isSameRow({ alert, cause: undefined }, { alert: { ...alert }, cause: undefined })).toBe(false);
  expect(isSameRow({ alert }, { alert, cause: undefined })).toBe(false);
  expect([isSameRow(7, 7), isSameRow(7, 8), isSameRow(7, null)]).toEqual([true, false, false]);
});
