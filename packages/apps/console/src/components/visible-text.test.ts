import { expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

it.each([
  ['db-03', 'db-03'],
  ['Größe <b>x</b> ✓', 'Größe <b>x</b> ✓'],
  ['a\u202eb', 'a\\u202eb'],
  ['line\nbreak\u0000', 'line\\u000abreak\\u0000'],
  ['\ud800', '\ufffd'],
])('shows %j as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
