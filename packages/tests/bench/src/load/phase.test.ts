import { expect, test } from 'vitest';
import { createPhase } from './phase.ts';

test('the latency of a request that was sent late counts from when the request was due', () => {
  const phase = createPhase();
  phase.note(100, 1_000, 1_000, 1_010);
  phase.note(100, 1_500, 2_500, 2_520);
  expect(phase.result()).toEqual({
    seconds: 1.52,
    requests: 2,
    payloads: 200,
    latency: { p50: 10, p99: 20, max: 20 },
    latencyFromPlan: { p50: 10, p99: 1_020, max: 1_020 },
    lag: { p50: 0, p99: 1_000, max: 1_000 },
  });
  expect(phase.perSecond()).toEqual([100, 100]);
});

test('a load without a pace has no latency from plan', () => {
  const phase = createPhase();
  phase.note(1, null, 50, 60);
  phase.note(1, null, 60, 2_055);
  expect(phase.result()).toMatchObject({ latencyFromPlan: null, lag: null });
  expect(phase.perSecond()).toEqual([1, 0, 1]);
});

test('a phase without responses has zeros', () => {
  expect(createPhase().result()).toMatchObject({ seconds: 0, requests: 0, payloads: 0 });
  expect(createPhase().perSecond()).toEqual([]);
});
