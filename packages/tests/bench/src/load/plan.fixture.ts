import type { Plan } from './plan.ts';

/** A small plan of two connections, with the given fields. */
export const planOf = (fields: Partial<Plan> = {}): Plan => ({
  seed: 7,
  hosts: 5,
  metrics: 3,
  stepMs: 10_000,
  startMs: 1_700_000_000_000,
  ticks: 4,
  connections: 2,
  payloadsPerRequest: 2,
  paced: false,
  rich: false,
  parts: 0,
  ...fields,
});
