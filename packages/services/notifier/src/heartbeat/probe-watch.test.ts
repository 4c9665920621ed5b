import { expect, test } from 'vitest';
import { Pulse } from './probe-watch.ts';

const STALE_MS = 20_000;

const pulseOf = (...probes: [at: number, partitions: number, heartbeats: Record<string, number>][]) => {
  const pulse = new Pulse(STALE_MS);
  for (const [at, partitions, heartbeats] of probes) pulse.take({ partitions, heartbeats }, at);
  return pulse;
};

test('nothing has arrived yet', () => {
  expect(pulseOf().isThrough(0)).toBe(false);
});

test('everything comes through while each partition was heard of late', () => {
  const pulse = pulseOf([0, 2, { 0: 10 }], [5_000, 2, { 1: 10 }]);
  expect(pulse.isThrough(STALE_MS - 1)).toBe(true);
  expect(pulse.isThrough(STALE_MS)).toBe(false);
});

test('a partition that nobody has told of is missing', () => {
  expect(pulseOf([0, 3, { 0: 10, 2: 10 }]).isThrough(1)).toBe(false);
});

test('a heartbeat that is told again, or an older one, says nothing of the gateways', () => {
  const pulse = pulseOf([0, 1, { 0: 10 }], [10_000, 1, { 0: 10 }], [11_000, 1, { 0: 9 }]);
  expect(pulse.isThrough(STALE_MS)).toBe(false);
});

test('where the topic has grown, the new partitions are asked for', () => {
  const pulse = pulseOf([0, 1, { 0: 10 }], [1_000, 2, { 0: 11 }]);
  expect(pulse.isThrough(1_001)).toBe(false);
});
