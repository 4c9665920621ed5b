import { expect, test } from 'vitest';
import { planOf } from '../load/plan.fixture.ts';
import { hostName, timeOf } from '../load/plan.ts';
import { prepare } from './prepare.ts';

const plan = planOf({ metrics: 18, payloadsPerRequest: 3 });

interface Payload {
  host: string;
  timestamp: string;
  metrics: Record<string, number>;
}

test('prepare puts every payload of a plan into one body, in requests of the same length as those of the generator', () => {
  const { payloads, bodies } = prepare(plan, 1_000, 1e9);
  const requests = bodies.map((body) => JSON.parse(body) as Payload[] | Payload);
  // Connection 0 has three hosts and 12 payloads, connection 1 two hosts and 8 payloads, so that its last request is short.
  expect(requests.map((request) => (Array.isArray(request) ? request.length : 1))).toEqual([
    3, 3, 3, 3, 3, 2, 3,
  ]);
  const lines = requests.flat().map((payload) => `${payload.host} ${payload.timestamp}`);
  expect(payloads).toBe(20);
  expect(new Set(lines).size).toBe(20);
  expect(lines).toContain(`${hostName(4)} ${new Date(timeOf(plan, 4, 3)).toISOString()}`);
});

test('prepare stops at the request that reaches the limit of payloads or bytes', () => {
  expect(prepare(plan, 7, 1e9).payloads).toBe(9);
  expect(prepare(plan, 1_000, 1).payloads).toBe(3);
});

test('prepare writes rows of sixteen slots, absent ones as null', () => {
  const { copies } = prepare(plan, 3, 1e9);
  const head = 19;
  const row = (values: number) => 2 + 12 + 8 + 16 * 4 + values * 8;
  expect(copies.map((copy) => copy.length)).toEqual([head + 3 * (row(16) + row(2)) + 2]);
});
