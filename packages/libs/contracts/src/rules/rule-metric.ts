import type { Subject } from '../values/subject.ts';

/** A metric of each host that Tidewatch computes itself: minutes since the host was last seen. */
export const SILENT_MINUTES = 'host.silent_minutes';

/** The kind of subject that a rule on this metric evaluates: hosts, containers, or processes of one name. */
export function subjectKindOf(metric: string): Subject['kind'] {
  if (metric.startsWith('container.')) return 'container';
  return metric.startsWith('process.') ? 'process' : 'host';
}

/** The field of a container or process that the metric of a rule refers to. */
export function fieldOf(metric: string): string {
  return metric.slice(subjectKindOf(metric).length + 1);
}
