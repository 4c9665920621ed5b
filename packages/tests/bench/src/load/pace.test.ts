import { expect, test } from 'vitest';
import { createPace } from './pace.ts';
import { planOf } from './plan.fixture.ts';

const plan = planOf({
  hosts: 100,
  metrics: 10,
  startMs: 0,
  ticks: 10,
  connections: 4,
  payloadsPerRequest: 5,
});

test('a request of a replay without a rate has no due time', () => {
  expect(createPace(plan, null, 1_000)(0, 50, 77)).toBeNull();
});

test('a request of a live plan is due at the time of its sample', () => {
  expect(createPace({ ...plan, paced: true }, null, 1_000)(3, 50, 77)).toBe(77);
});

test('with a rate, all connections together send that many samples a second', () => {
  const due = createPace(plan, 2_000, 1_000);
  // 2,000 samples a second are 200 payloads, 50 for each connection, in 10 requests each.
  expect(due(0, 0, 77)).toBe(1_000);
  expect(due(0, 50, 77)).toBe(2_000);
  expect(due(2, 0, 77)).toBe(1_050);
});

test('a pace that begins during the load counts from the position of each connection', () => {
  const due = createPace(plan, 4_000, 5_000, [30, 40, 30, 30]);
  expect(due(0, 30, 77)).toBe(5_000);
  expect(due(1, 40, 77)).toBe(5_012.5);
  expect(due(0, 130, 77)).toBe(6_000);
});
