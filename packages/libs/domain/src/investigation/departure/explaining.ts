import type { Facts } from '../facts.ts';
import { isOfUnknownClass, reasonResourceOf } from '../metric-class.ts';

const known = new WeakMap<Facts, boolean>();

/**
 * Whether a metric explains trouble of its host if it left its history: a resource. Where no metric of any compared host is known to be one,
 * metrics of which the names say nothing take their place, but for the one that alerted.
 */
export function explains(metric: string, facts: Facts): boolean {
  return isResourceKnown(facts)
    ? reasonResourceOf(metric) !== null
    : metric !== facts.metric && isOfUnknownClass(metric);
}

/** Whether any metric of a compared host is known to be a resource. */
export function isResourceKnown(facts: Facts): boolean {
  const cached = known.get(facts);
  if (cached !== undefined) return cached;
  const hosts = facts.metrics.filter(({ subject }) => subject.kind === 'host');
  const found = [...hosts, ...facts.peers.flatMap(({ metrics }) => metrics)].some(
    ({ metric }) => reasonResourceOf(metric) !== null,
  );
  known.set(facts, found);
  return found;
}
