import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Limits } from '@tidewatch/domain/preview/limits';
import { LOUD, QUIET, stretchesOf, UNCLEAR } from '@tidewatch/domain/preview/stretches';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KeptHours, keptHours } from './kept-hours.ts';

const FROM = Date.UTC(2026, 10, 1);
/** Limits of rules that breach above 90 and clear below 60. */
const LIMITS: Limits = {
  low: 90,
  high: Number.POSITIVE_INFINITY,
  outside: false,
  clearAbove: Number.NEGATIVE_INFINITY,
  clearBelow: 60,
  margin: 0,
};
const PLAIN = { windowMs: 0, keepFiringMs: 0 };

const stepsOf = (hours: readonly { hour: number; min: number; max: number }[]) => ({
  at: Float64Array.from(hours, ({ hour }) => FROM + hour * HOUR_MS),
  sum: new Float64Array(hours.length),
  count: Float64Array.from(hours, (_, index) => index + 1),
  min: Float64Array.from(hours, ({ min }) => min),
  max: Float64Array.from(hours, ({ max }) => max),
});

const listOf = ({ starts, values, loudness }: KeptHours) =>
  Array.from(starts, (start, index) => ({
    start,
    values: values[index] as number,
    loudness: loudness[index] as number,
  }));

const manyHours = fc
  .uniqueArray(
    fc.record({
      hour: fc.integer({ min: 0, max: 60 }),
      max: fc.constantFrom(20, 20, 20, 20, 20, 59, 60, 75, 90, 95),
    }),
    { selector: ({ hour }) => hour, maxLength: 50, size: 'max' },
  )
  .map((hours) => hours.map((hour) => ({ ...hour, min: 10 })).sort((a, b) => a.hour - b.hour));

test('leaving out quiet hours that are not next to others leads to the same stretches and the same last hour', () => {
  let left = 0;
  fc.assert(
    fc.property(manyHours, (hours) => {
      const all = listOf(keptHours(stepsOf(hours), LIMITS, false));
      const kept = listOf(keptHours(stepsOf(hours), LIMITS, true));
      expect(all.map(({ start }) => start)).toEqual(hours.map(({ hour }) => FROM + hour * HOUR_MS));
      expect(stretchesOf(kept, PLAIN)).toEqual(stretchesOf(all, PLAIN));
      expect(kept.at(-1)).toEqual(all.at(-1));
      left += all.length - kept.length;
    }),
    { seed: 11 },
  );
  expect(left).toBeGreaterThan(100);
});

test.each<[what: string, limits: Limits | null, min: number, max: number, loudness: number]>([
  ['a max at the threshold', LIMITS, 10, 90, LOUD],
  ['a max between the thresholds', LIMITS, 10, 60, UNCLEAR],
  ['a max below the recovery threshold', LIMITS, 10, 59, QUIET],
  ['any value where extremes show nothing', null, 10, 20, LOUD],
  ['a min above a range that breaches', { ...LIMITS, high: 100 }, 101, 102, UNCLEAR],
  ['a max outside of what is allowed', { ...LIMITS, low: 5, high: 50, outside: true }, 10, 51, LOUD],
  ['a min outside of what is allowed', { ...LIMITS, low: 15, high: 50, outside: true }, 10, 20, LOUD],
  ['a max that rounding may lift to the threshold', { ...LIMITS, margin: 0.01 }, 10, 89.5, LOUD],
  ['a min that is not past the upper recovery threshold', { ...LIMITS, clearAbove: 10 }, 10, 20, UNCLEAR],
])('an hour with %s', (_, limits, min, max, loudness) => {
  const [hour] = listOf(keptHours(stepsOf([{ hour: 0, min, max }]), limits, false));
  expect(hour?.loudness).toBe(loudness);
});
