import { expect, it } from 'vitest';
import { fittedName, percentText } from './tile-text.ts';

/** Every character is one unit wide. */
const measure = (text: string) => [...text].length;

it.each([
  ['shows a name that fits as it is', 'web-01', 6, 'web-01'],
  ['leaves out the middle of a longer one', 'web-frontend-01', 9, 'web-…d-01'],
  ['keeps the end where there is room for one character', 'web-01', 2, '…1'],
  ['keeps the end where there is no room at all', 'web-01', 0, '…1'],
  ['never cuts a character in two', '🦊🦊🦊🦊-01', 5, '🦊🦊…01'],
])('%s', (_, name, width, shown) => {
  expect(fittedName(name, width, measure)).toBe(shown);
});

it.each([
  [87.43, '87.4 %'],
  [0, '0 %'],
  [Number.NaN, '–'],
  [undefined, ''],
])('writes %s as "%s"', (value, text) => {
  expect(percentText(value)).toBe(text);
});
