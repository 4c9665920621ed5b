import fc from 'fast-check';
import { expect, it } from 'vitest';
import { minutes, noise } from '../testing/host-facts.ts';
import { correlation, laggedCorrelation } from './correlation.ts';
import { findHinge, fitLine } from './line.ts';
import { noiseOf } from './noise.ts';
import { pelt } from './pelt.ts';
import { median, quantile, scoreOfDistance, sorted, spreadAround } from './robust.ts';
import { firstAt, slice, stepOf, valueAt } from './slice.ts';

it('a median and a spread are not moved by outliers', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBeNaN();
  expect(quantile(sorted([0, 10]), 0.25)).toBe(2.5);
  const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1e9];
  expect(spreadAround(values, median(values))).toBeCloseTo(1.4826 * 2.5);
});

it('scoreOfDistance is one half at the distance `half`, and lies between 0 and 1', () => {
  expect(scoreOfDistance(6, 6)).toBe(0.5);
  expect(scoreOfDistance(0, 6)).toBe(0);
  expect(scoreOfDistance(Number.POSITIVE_INFINITY, 6)).toBe(1);
});

it('slices and lookups find the right times', () => {
  const series = minutes(10, (ago) => ago);
  const third = series.times[3] as number;
  expect(firstAt(series.times, third)).toBe(3);
  expect(firstAt(series.times, third + 1)).toBe(4);
  expect(slice(series, third, third + 120_000).values).toEqual(Float64Array.of(6, 5));
  expect(valueAt(series, third + 30_000, 60_000)).toBe(6);
  expect(valueAt(series, third - 600_000, 60_000)).toBeNaN();
  expect(stepOf(series.times)).toBe(60_000);
});

it('PELT finds the steps of a noisy staircase, and none in noise', () => {
  const stairs = Float64Array.from({ length: 120 }, (_, i) => (i < 50 ? 0 : i < 80 ? 10 : 4) + noise(i));
  expect(pelt(stairs, 3 * Math.log(120) * 0.4)).toEqual([0, 50, 80]);
  expect(
    pelt(
      stairs.map((value) => value + 1e9),
      3 * Math.log(120) * 0.4,
    ),
  ).toEqual([0, 50, 80]);
  expect(
    pelt(
      Float64Array.from({ length: 200 }, (_, i) => noise(i)),
      3 * Math.log(200) * 0.4,
    ),
  ).toEqual([0]);
  expect(pelt([], 1)).toEqual([]);
});

it('PELT finds a division as good as the best of all divisions', () => {
  const total = (values: readonly number[], starts: readonly number[], penalty: number) =>
    starts.reduce((sum, start, nth) => {
      const part = values.slice(start, starts[nth + 1]);
      const mean = part.reduce((a, b) => a + b, 0) / part.length;
      return sum + penalty + part.reduce((a, b) => a + (b - mean) ** 2, 0);
    }, 0);
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 200 }),
      (values, penalty) => {
        let least = Number.POSITIVE_INFINITY;
        for (let cuts = 0; cuts < 2 ** (values.length - 1); cuts++) {
          const starts = [0, ...values.slice(1).flatMap((_, i) => ((cuts >> i) & 1 ? [i + 1] : []))];
          least = Math.min(least, total(values, starts, penalty));
        }
        expect(total(values, pelt(values, penalty), penalty)).toBeCloseTo(least, 6);
      },
    ),
  );
});

it('correlated neighbours raise the long-run variance', () => {
  const strangers = Float64Array.from({ length: 400 }, (_, i) => noise(i));
  const alike = Float64Array.from({ length: 400 }, (_, i) => Math.sin(i / 10));
  expect(noiseOf(strangers, 0).alike).toBeLessThan(0.2);
  expect(noiseOf(alike, 0).alike).toBe(0.9);
  const { sigma, longRunVariance } = noiseOf(alike, 0);
  expect(longRunVariance).toBeCloseTo(19 * sigma ** 2);
});

it('a correlation needs six points, and both series must move', () => {
  expect(correlation([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12])).toBeCloseTo(1);
  expect(correlation([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])).toBeCloseTo(-1);
  expect(correlation([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])).toBeNull();
  expect(correlation([1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1])).toBeNull();
});

it('a lag shows which series moved first', () => {
  const symptom = minutes(120, (ago) => (ago < 20 ? 10 : 0) + noise(ago));
  const cause = minutes(120, (ago) => (ago < 23 ? 10 : 0) + noise(ago, 2));
  const found = laggedCorrelation(symptom, cause, 60_000, 5);
  expect(found?.leadMs).toBe(180_000);
  expect(found?.r).toBeGreaterThan(0.9);
  expect(laggedCorrelation(cause, symptom, 60_000, 5)?.leadMs).toBe(-180_000);
});

it('fitLine finds a line, and findHinge the time at which a level turns into a line', () => {
  const line = fitLine(minutes(60, (ago) => 100 - ago));
  expect((line?.slope ?? 0) * 60_000).toBeCloseTo(1);
  expect(line?.fit).toBeCloseTo(1);
  const bent = minutes(240, (ago) => Math.max(0, 100 - ago) + noise(ago));
  const hinge = findHinge(bent, 24);
  expect(hinge?.at).toBe(bent.times[140]);
  expect(
    findHinge(
      minutes(240, (ago) => noise(ago)),
      24,
    ),
  ).toBeNull();
});
