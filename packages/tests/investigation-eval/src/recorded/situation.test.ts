import { expect, test } from 'vitest';
import { situationOf } from './candidates.ts';
import type { Payload } from './recording.ts';
import { showsOnCause } from './shows-on-cause.ts';

const payloads = [1, 2, 3, 4].flatMap((timestamp): Payload[] => [
  { host: 'web', timestamp, metrics: { cpu: timestamp, latency: 10 }, tags: {} },
  { host: 'db', timestamp, metrics: { cpu: 5 }, tags: {} },
]);
const one = {
  incident: { from: 2, to: 3 },
  alert: { host: 'web', metric: 'latency', at: 3 },
};

test('situationOf divides samples at the window and leaves out what came later', () => {
  const { candidates, symptom } = situationOf(one, payloads, 'hosts');
  expect(candidates.map(({ name }) => name)).toEqual(['web', 'db']);
  expect(candidates[0]?.metrics.get('cpu')).toEqual({ before: [1], inside: [2, 3], times: [2, 3] });
  expect(symptom?.inside).toEqual([10, 10]);
});

test('situationOf makes each metric of the alerting host a candidate where metrics are named', () => {
  const alert = { ...one.alert, metric: null };
  const { candidates, symptom } = situationOf({ ...one, alert }, payloads, 'metrics');
  expect(candidates.map(({ name }) => name)).toEqual(['cpu', 'latency']);
  expect(symptom).toBeNull();
});

test('a fault shows on its cause if a metric leaves its history by more than five ranges after it began', () => {
  const before = Array.from({ length: 11 }, (_, i) => i);
  const shows = (inside: number[]) =>
    showsOnCause({ metrics: new Map([['cpu', { before, inside, times: [] }]]) });
  expect(shows([5, 5, 50])).toBe(true);
  expect(shows([5, 5, 48])).toBe(false);
  expect(shows([99, 99, 5])).toBe(false);
});
