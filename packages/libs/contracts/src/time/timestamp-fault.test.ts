import { expect, it } from 'vitest';
import { timestampFault } from './timestamp-fault.ts';

it.each([
  ['2026-11-21T14:36:28+0530', 'The offset needs a colon. Write 2026-11-21T14:36:28+05:30.'],
  ['2026-11-21T14:36:28.5-0800', 'The offset needs a colon. Write 2026-11-21T14:36:28.5-08:00.'],
  ['2026-11-21T14:36:28+05', 'The offset needs hours and minutes. Write 2026-11-21T14:36:28+05:00.'],
  ['2026-11-21T14:36:28 05:30', 'A + in a query is decoded as a space. Write 2026-11-21T14:36:28%2B05:30.'],
  ['2026-11-21T14:36:28 0530', 'A + in a query is decoded as a space. Write 2026-11-21T14:36:28%2B05:30.'],
  [
    '2016-12-31T23:59:60Z',
    'Leap seconds are not supported: seconds are 00 to 59. Write 2016-12-31T23:59:59Z.',
  ],
  [
    '2017-01-01T05:29:60.25+05:30',
    'Leap seconds are not supported: seconds are 00 to 59. Write 2017-01-01T05:29:59+05:30.',
  ],
  ['2026-11-21', 'A date needs a time. Write 2026-11-21T00:00:00Z.'],
  ['1700000000', 'Must be an RFC 3339 date and time and not a number. Write 2023-11-14T22:13:20.000Z.'],
  ['yesterday', 'Must be an RFC 3339 date and time, such as 2026-11-21T14:36:28Z.'],
  ['2026-02-30T00:00:00+0530', 'Must be an RFC 3339 date and time, such as 2026-11-21T14:36:28Z.'],
  ['x'.repeat(10_000), 'Must be an RFC 3339 date and time, such as 2026-11-21T14:36:28Z.'],
])('the time %s is refused with its right spelling', (text, message) => {
  expect(timestampFault(text)).toBe(message);
});
