import { expect, it } from 'vitest';
import { latencySteps } from './latency-steps.ts';

const at = (second: string) => `2026-11-26T03:08:${second}Z`;

it('measures each known step from the one before it, and none as negative', () => {
  const latency = {
    sampled_at: at('31.000'),
    received_at: at('31.200'),
    published_at: null,
    consumed_at: at('31.150'),
    fired_at: at('31.300'),
    notified_at: null,
  };
  expect(latencySteps(latency)).toEqual([
    { name: 'received', ms: 200 },
    { name: 'consumed', ms: 0 },
    { name: 'fired', ms: 150 },
  ]);
});
