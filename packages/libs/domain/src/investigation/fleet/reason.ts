import { resourceOf } from '../metric-class.ts';
import { type RankingParameters, strengthOf } from './movement.ts';
import type { Trace } from './trace.ts';

/** Metrics whose names match are worse when they are lower. */
const LEFT_OVER = /free|avail|idle|remaining/;

/**
 * How well a host's own resources explain the symptom: the USE method (Gregg 2013) looks for causes in what resources are used for and
 * what waits for them, while latency, errors and queues only show that a host suffers. A resource counts by how far it rose
 * when the trouble began, times its correlation with the symptom; what fell is used less. Several that are used at once are one
 * reason out of independent ones (noisy-or: Pearl 1988), those of one kind being the same.
 *
 * @returns 0 to 1
 */
export function reasonOf(traces: readonly Trace[], parameters: RankingParameters): number {
  const kinds = new Map<string, number>();
  for (const trace of traces) {
    const kind = resourceOf(trace.facts.metric);
    if (kind === null) continue;
    const own = Math.abs(trace.correlation) * worsening(trace, parameters);
    kinds.set(kind, Math.max(kinds.get(kind) ?? 0, own));
  }
  return 1 - [...kinds.values()].reduce((none, own) => none * (1 - own), 1);
}

function worsening({ facts, movement }: Trace, parameters: RankingParameters): number {
  const { rise, spread, flat, strength } = movement;
  if (rise === null) return strength;
  const worse = LEFT_OVER.test(facts.metric) ? -rise : rise;
  return strengthOf(Math.max(0, worse / spread - 1), flat, parameters);
}
