import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnOf } from '../chunk/numbers.fixture.ts';
import type { RollupColumns } from '../chunk/rollup-row.ts';
import { bucketOf } from './buckets.ts';
import { rollUpDay, type SlotRollups } from './day-rollups.ts';
import { daysOfMonth, withDay } from './month-rollups.ts';

const DAY = Date.UTC(2026, 10, 28);

/** The sum of the decimals as integers of any size, or of the doubles in their order. -0 is no decimal. */
function naiveSum(values: readonly number[]): number {
  for (let scale = 0; scale <= 6; scale += 1) {
    const integers = values.map((value) => Math.round(value * 10 ** scale));
    const isExact = integers.every(
      (integer, at) =>
        integer / 10 ** scale === values[at] && !Object.is(integer, -0) && Math.abs(integer) <= 2 ** 50,
    );
    if (isExact) return Number(`${integers.reduce((sum, integer) => sum + BigInt(integer), 0n)}e-${scale}`);
  }
  return values.reduce((sum, value) => sum + Math.max(-1e290, Math.min(value, 1e290)), 0);
}

/** Index, sum, count, min and max of the steps of `widthMs` of a day that have samples. */
function naiveSteps(times: Float64Array, numbers: Float64Array, widthMs: number): number[][] {
  const samples = [...times].map((time, row) => ({ time, value: numbers[row] as number }));
  const present = samples.filter(({ value }) => !Number.isNaN(value));
  return [...Map.groupBy(present, ({ time }) => bucketOf(time, widthMs))].map(([at, own]) => {
    const values = own.map(({ value }) => value);
    return [(at - DAY) / widthMs, naiveSum(values), values.length, Math.min(...values), Math.max(...values)];
  });
}

function stepsOf({ sums, counts, mins, maxs }: RollupColumns): number[][] {
  const steps = [...counts].map(
    (count, step) => [step, sums[step], count, mins[step], maxs[step]] as number[],
  );
  return steps.filter(([, , count]) => !Number.isNaN(count));
}

/** Whether steps are the same; 0 and -0 are. */
function differences(found: number[][], wanted: number[][]): string[] {
  if (found.length !== wanted.length) return [`${found.length} steps, not ${wanted.length}`];
  const same = (a: number[], b: number[]) => a.every((number, at) => number === b[at]);
  return wanted.flatMap((step, at) =>
    same(found[at] as number[], step) ? [] : [`${found[at]} is not ${step}`],
  );
}

const days = fc
  .integer({ min: 1, max: 200 })
  .chain((count) =>
    fc.tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: DAY_MS - 1 }), { minLength: count, maxLength: count }),
      fc.boolean(),
      columnOf(count, 0),
      columnOf(count, 30),
    ),
  );

test('the minutes, hours and day of random samples are those of the naive model, sums to the last bit', () => {
  fc.assert(
    fc.property(days, ([drawn, isDense, whole, holed]) => {
      const offsets = isDense ? drawn.map((_, row) => row * 7_000) : drawn.sort((a, b) => a - b);
      const times = Float64Array.from(offsets, (offset) => DAY + offset);
      const { minutes, hours, day } = rollUpDay({ times, slots: [whole, null, holed] }, DAY);
      for (const [slot, numbers] of [whole, null, holed].entries()) {
        if (numbers === null || numbers.every(Number.isNaN)) {
          expect([minutes[slot], hours[slot], day[slot]]).toEqual([null, null, null]);
          continue;
        }
        const widths = [
          [minutes, MINUTE_MS],
          [hours, HOUR_MS],
          [day, DAY_MS],
        ] as const;
        for (const [steps, widthMs] of widths) {
          const found = stepsOf(steps[slot] as RollupColumns);
          expect(differences(found, naiveSteps(times, numbers, widthMs))).toEqual([]);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('sums stay exact beyond 2^53, at midnight and before the next', () => {
  const times = Float64Array.from({ length: 8_640 }, (_, row) => DAY + row * 10_000);
  times[8_639] = DAY + DAY_MS - 1;
  const counter = times.map((_, row) => 2 ** 50 - row);
  const { day, hours } = rollUpDay({ times, slots: [counter] }, DAY);
  const exact = [...counter].reduce((sum, value) => sum + BigInt(value), 0n);
  expect([day[0]?.sums[0], day[0]?.counts[0], hours[0]?.counts[23]]).toEqual([Number(exact), 8_640, 360]);
});

test('six values of 57.1 have the sum 342.6 even if a value of another minute is no decimal', () => {
  const times = Float64Array.from({ length: 7 }, (_, row) => DAY + row * 10_000);
  const { minutes } = rollUpDay(
    { times, slots: [Float64Array.of(57.1, 57.1, 57.1, 57.1, 57.1, 57.1, 1 / 3)] },
    DAY,
  );
  expect([minutes[0]?.sums[0], minutes[0]?.sums[1]]).toEqual([342.6, 1 / 3]);
});

test('values beyond 1e290 count as 1e290, so that sums stay finite', () => {
  const times = Float64Array.of(DAY, DAY + 1, DAY + 2);
  const { day } = rollUpDay({ times, slots: [Float64Array.of(Number.MAX_VALUE, Number.MAX_VALUE, 1)] }, DAY);
  expect([day[0]?.sums[0], day[0]?.maxs[0]]).toEqual([2e290, Number.MAX_VALUE]);
});

test.each([
  ['the day before', -1],
  ['the next day', DAY_MS],
])('refuses samples of %s', (_, offset) => {
  const columns = { times: Float64Array.of(DAY + offset), slots: [Float64Array.of(1)] };
  expect(() => rollUpDay(columns, DAY)).toThrow(RangeError);
});

test('a day takes its place in the rollups of its month, and loses it', () => {
  const dayOf = (value: number | null): SlotRollups => {
    if (value === null) return [null];
    return rollUpDay({ times: Float64Array.of(DAY), slots: [Float64Array.of(value)] }, DAY).day;
  };
  const first = withDay(null, dayOf(5), DAY);
  const second = withDay(first, dayOf(7), DAY + DAY_MS);
  expect([first[0]?.counts[28], second[0]?.sums.length]).toEqual([Number.NaN, 30]);
  expect([second[0]?.sums[27], second[0]?.sums[28], second[0]?.counts[28]]).toEqual([5, 7, 1]);
  expect(withDay(second, dayOf(null), DAY)[0]?.mins[28]).toBe(7);
  expect(withDay(first, dayOf(null), DAY)).toEqual([null]);
});

test.each([
  [Date.UTC(2028, 1), 29],
  [Date.UTC(2026, 11, 31), 31],
])('the month of %d has %d days', (time, days) => {
  expect(daysOfMonth(time)).toBe(days);
});

test.each([2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 50])(
  'finds the min and max of integers of a minute from the negative of %d to it',
  (bound) => {
    const numbers = Float64Array.of(0, bound, -bound, 7, bound - 1, 1 - bound);
    const times = Float64Array.from(numbers, (_, row) => DAY + row * 1_000);
    const { minutes } = rollUpDay({ times, slots: [numbers] }, DAY);
    expect(stepsOf(minutes[0] as RollupColumns)).toEqual([[0, 7, 6, -bound, bound]]);
  },
);
