import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { troubledFrom } from './trouble.ts';

const FROM = Date.UTC(2026, 0, 5, 12);
const minute = (count: number) => FROM + count * MINUTE_MS;
const asked = (pendingSince: number | null, to = minute(40)) => ({ from: FROM, to, pendingSince });

test.each([
  ['without an alert, the start of the window', asked(null), FROM],
  ['a quarter of an hour before the alert became pending', asked(minute(35)), minute(20)],
  ['half of the time before, where that is less', asked(minute(10)), minute(5)],
  ['the alert itself, where it has been pending since before the window', asked(minute(-5)), minute(-5)],
  ['the end of the window at the latest', asked(minute(80)), minute(40)],
])('the trouble may have begun from %s on', (_name, given, expected) => {
  expect(troubledFrom(given)).toBe(expected);
});
