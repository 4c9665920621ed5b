import { resourceOf } from '../metric-class.ts';
import { type RankingParameters, strengthOf } from './movement.ts';
import type { Trace } from './trace.ts';

/** A metric whose name matches measures what is left of a resource, so lower values are worse. */
const LEFT_OVER = /free|avail|idle|remaining/;

/**
 * How well the use of a host's own resources explains the symptom, 0 to 1 (USE method, Gregg 2013). A resource counts by
 * its rise when the trouble began times its correlation with the symptom; latency, errors and queues do not count. Several
 * resources combine as independent reasons (noisy-or: Pearl 1988).
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
