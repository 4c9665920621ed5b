import { expect, test } from 'vitest';
import { jackknifeCorrelation } from './jackknife-correlation.ts';

const of = (...values: number[]) => Float64Array.from(values);

test('proportional series have a correlation of 1 or -1, by direction', () => {
  expect(jackknifeCorrelation(of(1, 2, 5, 4, 3), of(10, 20, 50, 40, 30))?.r).toBeCloseTo(1, 12);
  expect(jackknifeCorrelation(of(1, 2, 5, 4, 3), of(-10, -20, -50, -40, -30))?.r).toBeCloseTo(-1, 12);
});

test('two series that share a single large value are not correlated', () => {
  const x = of(1, 2, 1, 2, 1, 2, 90);
  const y = of(5, 3, 2, 5, 4, 2, 80);
  const without = (skip: number) => {
    const keep = (_: number, i: number) => i !== skip;
    return plain(x.filter(keep), y.filter(keep));
  };
  const mean = [0, 1, 2, 3, 4, 5, 6].reduce((sum, skip) => sum + without(skip), 0) / 7;
  expect(plain(x, y)).toBeGreaterThan(0.99);
  expect(jackknifeCorrelation(x, y)?.r).toBeCloseTo(mean, 9);
  expect(jackknifeCorrelation(x, y)?.r).toBeLessThan(0.85);
});

test('points without both values are ignored, and three points have no correlation', () => {
  const gap = Number.NaN;
  expect(jackknifeCorrelation(of(1, gap, 3, 4, 5), of(1, 2, 3, 4, 5))?.r).toBeCloseTo(1, 12);
  expect(jackknifeCorrelation(of(1, gap, 3, gap, 5), of(1, 2, 3, 4, 5))).toBeNull();
});

test('the standard error is that of the jackknife, and zero for series without noise', () => {
  const x = of(1, 4, 2, 5, 3, 7);
  const y = of(2, 3, 3, 6, 2, 8);
  const without = x.map((_, skip) => {
    const keep = (_: number, i: number) => i !== skip;
    return plain(x.filter(keep), y.filter(keep));
  });
  const mean = without.reduce((sum, r) => sum + r, 0) / 6;
  const variance = (5 / 6) * without.reduce((sum, r) => sum + (r - mean) ** 2, 0);
  expect(jackknifeCorrelation(x, y)?.error).toBeCloseTo(Math.sqrt(variance), 9);
  expect(jackknifeCorrelation(x, x)?.error).toBeCloseTo(0, 6);
});

test('a constant series correlates with none, also where a single value differs', () => {
  expect(jackknifeCorrelation(of(7, 7, 7, 7, 7), of(1, 2, 3, 4, 5))).toBeNull();
  expect(jackknifeCorrelation(of(0.1, 0.1, 0.1, 0.1, 9), of(1, 2, 3, 4, 5))?.r).toBeLessThan(0.75);
});

function plain(xs: Float64Array, ys: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const sum = (f: (i: number) => number) => xs.reduce((total, _, i) => total + f(i), 0);
  const dx = (i: number) => (xs[i] as number) - mx;
  const dy = (i: number) => (ys[i] as number) - my;
  return sum((i) => dx(i) * dy(i)) / Math.sqrt(sum((i) => dx(i) ** 2) * sum((i) => dy(i) ** 2));
}
