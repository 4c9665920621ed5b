import { expect, it } from 'vitest';
import { parseTime } from './connection.ts';

it.each([
  ['2026-11-21 14:36:28+00', Date.UTC(2026, 10, 21, 14, 36, 28)],
  ['2026-11-21 14:36:28.5+00', Date.UTC(2026, 10, 21, 14, 36, 28, 500)],
  ['2026-11-21 14:36:28.123456+00', Date.UTC(2026, 10, 21, 14, 36, 28, 123)],
  ['2026-11-21 14:36:28.057+02', Date.UTC(2026, 10, 21, 12, 36, 28, 57)],
  ['infinity', Number.POSITIVE_INFINITY],
])('reads %s', (text, ms) => {
  expect(parseTime(text)).toBe(ms);
});
