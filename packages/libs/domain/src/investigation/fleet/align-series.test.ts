import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { inSteps, valuesNear } from './align-series.ts';

const series = (...points: [minute: number, value: number][]) => ({
  times: Float64Array.from(points, ([minute]) => minute * MINUTE_MS),
  values: Float64Array.from(points, ([, value]) => value),
});

test('values of one step become their mean, and steps without values are left out', () => {
  const steps = inSteps(series([0, 1], [0.5, 3], [2.25, 8]), MINUTE_MS);
  expect([...steps.times]).toEqual([0, 2 * MINUTE_MS]);
  expect([...steps.values]).toEqual([2, 8]);
});

test('hosts that report at different minutes are compared by the nearest value', () => {
  const own = Float64Array.of(0, 5 * MINUTE_MS, 10 * MINUTE_MS, 15 * MINUTE_MS);
  const other = series([-1, 1], [4, 2], [9, 3], [21, 9]);
  expect([...valuesNear(own, other, 2.5 * MINUTE_MS)]).toEqual([1, 2, 3, Number.NaN]);
  expect([...valuesNear(own, series(), 2.5 * MINUTE_MS)]).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
});
