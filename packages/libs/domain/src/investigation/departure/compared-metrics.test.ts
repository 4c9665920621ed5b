import { expect, test } from 'vitest';
import { comparedMetrics, distanceFromUsual } from './compared-metrics.ts';

test.each([
  ['cpu_percent', { mean: 20, deviation: 2, max: 40, min: 20 }, 10],
  ['cpu_percent', { mean: 20, deviation: 2, max: 23, min: 20 }, 0],
  ['cpu_percent', { mean: 20, deviation: 2, max: 20, min: 0 }, 0],
  ['disk_free_bytes', { mean: 20, deviation: 2, max: 40, min: 10 }, 5],
  // A metric that never varied has a hundredth of its magnitude as spread.
  ['cpu_percent', { mean: 50, deviation: 0, max: 100, min: 50 }, 50],
  ['cpu_percent', { mean: 0, deviation: 0, max: 0, min: 0 }, 0],
])('%s with the levels %j is %d usual spreads worse than usual', (metric, levels, distance) => {
  expect(distanceFromUsual(metric, levels)).toBeCloseTo(distance, 9);
});

test('a metric without minutes before or since is not chosen', () => {
  const none = { mean: Number.NaN, deviation: Number.NaN, max: 90, min: 90 };
  const distance = () => distanceFromUsual('cpu_percent', none);
  expect(comparedMetrics([{ metric: 'cpu_percent' }], 'latency_ms', distance)).toEqual([]);
});
