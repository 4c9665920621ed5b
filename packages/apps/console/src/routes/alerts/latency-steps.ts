import type { Evidence } from './alert-reads.ts';

const STEPS = ['sampled', 'received', 'published', 'consumed', 'fired', 'notified'] as const;

/** The time of each step of a sample that is known, from the step before it that is known; never negative. */
export function latencySteps(latency: Evidence['latency']): { name: string; ms: number }[] {
  const known = STEPS.flatMap((name) => {
    const at = latency[`${name}_at`];
    return at === null ? [] : [{ name, at: Date.parse(at) }];
  });
  // Clocks of different machines differ: a step that seems to go back took no time.
  return known
    .slice(1)
    .map(({ name, at }, index) => ({ name, ms: Math.max(at - (known[index]?.at ?? at), 0) }));
}
