import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { stepFor } from './step.ts';

it.each([
  [HOUR_MS, 720, 10_000, 10_000],
  [HOUR_MS, 720, null, 10_000],
  [HOUR_MS, 300, 10_000, 30_000],
  [10 * MINUTE_MS, 800, 1_000, 2_000],
  [10 * MINUTE_MS, 800, 10_000, 10_000],
  [10 * MINUTE_MS, 800, 12_000, 15_000],
  [DAY_MS, 800, 10_000, 5 * MINUTE_MS],
  [7 * DAY_MS, 800, 10_000, 30 * MINUTE_MS],
  [30 * DAY_MS, 800, 10_000, 2 * HOUR_MS],
  [400 * DAY_MS, 800, 10_000, DAY_MS],
  [5 * 365 * DAY_MS, 800, 10_000, 5 * DAY_MS],
])('%i ms on %i px with samples every %s ms have steps of %i ms', (range, pixels, interval, step) => {
  expect(stepFor(range, pixels, interval)).toBe(step);
});

it('has at most a point for every two pixels, and never more than the API allows', () => {
  for (let range = 60_000; range < 3 * 365 * DAY_MS; range *= 1.7)
    for (const pixels of [300, 777, 2_400])
      expect(range / stepFor(range, pixels, null)).toBeLessThanOrEqual(pixels / 2);
});
