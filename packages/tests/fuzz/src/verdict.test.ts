import { expect, test } from 'vitest';
import { faultsOf } from './verdict.ts';

test.each([
  [1_000, 299, true],
  [1_000, 300, false],
  [500, 149, true],
  [17, 5, false],
  [17, 0, true],
])('of %i requests of a route %i succeed', (requests, successes, isFault) => {
  const route = { name: 'GET /healthz', requests, successes, statuses: new Map(), ms: 0, fault: null };
  const result = { routes: [route], log: [], seconds: 1, memory: { warm: 1, end: 1 } };
  expect(faultsOf(result).length > 0).toBe(isFault);
});
