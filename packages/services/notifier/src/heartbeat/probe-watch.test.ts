import { expect, test } from 'vitest';
import { ProbeWatch } from './probe-watch.ts';

const STALE_MS = 20_000;

const watchOf = (...probes: [at: number, partitions: number, heartbeats: Record<string, number>][]) => {
  const watch = new ProbeWatch(STALE_MS);
  for (const [at, partitions, heartbeats] of probes) watch.take({ partitions, heartbeats }, at);
  return watch;
};

test('probes do not get through before the first one arrived', () => {
  expect(watchOf().isThrough(0)).toBe(false);
});

test('probes get through while each partition has a recent heartbeat', () => {
  const watch = watchOf([0, 2, { 0: 10 }], [5_000, 2, { 1: 10 }]);
  expect(watch.isThrough(STALE_MS - 1)).toBe(true);
  expect(watch.isThrough(STALE_MS)).toBe(false);
});

test('probes do not get through while a partition has no heartbeat', () => {
  expect(watchOf([0, 3, { 0: 10, 2: 10 }]).isThrough(1)).toBe(false);
});

test('a repeated or older heartbeat does not count as a probe that got through', () => {
  const watch = watchOf([0, 1, { 0: 10 }], [10_000, 1, { 0: 10 }], [11_000, 1, { 0: 9 }]);
  expect(watch.isThrough(STALE_MS)).toBe(false);
});

test('after the topic got a partition, probes must get through it too', () => {
  const watch = watchOf([0, 1, { 0: 10 }], [1_000, 2, { 0: 11 }]);
  expect(watch.isThrough(1_001)).toBe(false);
});
