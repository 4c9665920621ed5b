import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { troubledFrom } from './trouble.ts';

const asked = (pendingMinute: number | null, intervalMs = 10_000) =>
  troubledFrom({
    from: 0,
    to: 32.5 * MINUTE_MS,
    pendingSince: pendingMinute === null ? null : pendingMinute * MINUTE_MS,
    intervalMs,
  }) / MINUTE_MS;

test('the level of the trouble is computed from the minute on in which the alert became pending', () => {
  expect(asked(30)).toBe(30);
  expect(asked(28.4)).toBe(28);
});

test('the level of the trouble is computed from at least two samples, and at least two minutes', () => {
  expect(asked(32)).toBe(30.5);
  expect(asked(30, 5 * MINUTE_MS)).toBe(22.5);
});

test('the level of the trouble is computed from the second half of the window without an alert, or if the alert has been pending for long', () => {
  expect(asked(null)).toBe(16.25);
  expect(asked(3)).toBe(16.25);
});
