import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { movementOf, PARAMETERS } from './movement.ts';

const usual = { median: 20, mad: 1, min: 16, max: 24, count: 500 };
const window = (...values: number[]) => ({
  times: Float64Array.from(values, (_, i) => i * MINUTE_MS),
  values: Float64Array.from(values),
});
const moved = (values: number[], of = usual, metric = 'latency_ms') =>
  movementOf(metric, window(...values), of, PARAMETERS);

test('a metric that moves as much as usual has strength 0', () => {
  expect(moved([19, 21, 20, 21, 19, 20])).toMatchObject({ strength: 0, excess: 0, startedAt: null });
});

test('a metric that stays at another level for the whole window did not move', () => {
  expect(moved([69, 71, 70, 71, 69, 70]).strength).toBe(0);
});

test('the strength of a movement grows with its size beyond the usual spread, up to 1', () => {
  const strengths = [30, 60, 200, 1e9].map((peak) => moved([20, 20, 20, peak, peak, 20]).strength);
  expect(strengths).toEqual(strengths.toSorted((a, b) => a - b));
  expect(strengths[0]).toBeGreaterThan(0.2);
  expect(strengths[3]).toBeLessThanOrEqual(1);
});

test('the strength of a metric that was constant before is 1 for any movement', () => {
  const flat = { median: 100, mad: 0, min: 100, max: 100, count: 500 };
  const [near, far] = [moved([100, 100, 97, 98, 100], flat), moved([100, 100, 20, 30, 100], flat)];
  expect([near.strength, far.strength]).toEqual([1, 1]);
  expect(near.flat).toBe(true);
  expect(moved([100, 100, 99.99, 100, 100], flat).strength).toBe(0);
});

test('a change by a tenth of a percent of a resource is not reported', () => {
  const idle = { median: 0.1, mad: 0, min: 0.1, max: 0.2, count: 500 };
  expect(moved([0.1, 0.1, 0.4, 0.1], idle, 'cpu_percent').strength).toBe(0);
  expect(moved([0.1, 0.1, 0.4, 0.1], idle, 'load_1').strength).toBe(1);
});

test('without history the changes within the window define what is usual', () => {
  const unknown = { median: 0, mad: 0, min: 0, max: 0, count: 0 };
  const still = moved([5, 6, 5, 6, 5, 6, 5, 6], unknown);
  const jump = moved([5, 6, 5, 6, 5, 60, 61, 60], unknown);
  expect(still.strength).toBe(0);
  expect(jump.strength).toBeGreaterThan(0.7);
});

test('a metric that varied strongly before the window is not found to have moved by varying as strongly', () => {
  const before = Float64Array.from({ length: 40 }, (_, i) => 20 + (i % 2 === 0 ? 8 : -8));
  const values = window(28, 12, 28, 12, 28, 12);
  expect(movementOf('latency_ms', values, usual, PARAMETERS).strength).toBeGreaterThan(0.5);
  expect(movementOf('latency_ms', values, usual, PARAMETERS, before).strength).toBe(0);
});

test('a movement starts at the first value outside the calmer half of the window, even if it has ended', () => {
  expect(moved([20, 21, 20, 40, 60, 55, 20, 21, 19]).startedAt).toBe(3 * MINUTE_MS);
  expect(moved([20, 21, 20, 21, 20, 5, 4]).startedAt).toBe(5 * MINUTE_MS);
});

test('a rise in the last minutes counts as if the trouble were half of the window', () => {
  const values = Array.from({ length: 31 }, (_, i) => (i === 30 ? 60 : 20 + (i % 2 === 0 ? 1 : -1)));
  const at = (since: number | null) =>
    movementOf('latency_ms', window(...values), usual, PARAMETERS, undefined, since);
  expect(at(null)).toMatchObject({ rise: null });
  expect(at(30 * MINUTE_MS).rise).toBeCloseTo(40, 9);
  expect(at(30 * MINUTE_MS).excess).toBeCloseTo(20 / 1.4826 - 1, 9);
  expect(at(30 * MINUTE_MS).excess).toBeGreaterThan(2 * at(null).excess);
});

test('with a handful of values from before the trouble, no rise is reported', () => {
  const values = window(20, 21, 20, 60, 60);
  expect(movementOf('latency_ms', values, usual, PARAMETERS, undefined, 3 * MINUTE_MS).rise).toBeNull();
});
