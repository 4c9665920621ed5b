import { PART_BOUNDS, partKindFault } from '../ingest/part.ts';
import type { Subject } from '../values/subject.ts';

/** A metric of each host that Tidewatch computes itself: minutes since the host was last seen. */
export const SILENT_MINUTES = 'host.silent_minutes';

/** Computed from the states that the runtime gives of containers: 1 if the container runs, or is unhealthy, otherwise 0. */
export const CONTAINER_RUNNING = 'container.running';
export const CONTAINER_UNHEALTHY = 'container.unhealthy';
/** How many processes of a name run; 0 once there is none. */
export const PROCESS_COUNT = 'process.count';

/** The metrics that Tidewatch computes itself, which no sender has to send. */
export const COMPUTED_METRICS: readonly string[] = [
  SILENT_MINUTES,
  CONTAINER_RUNNING,
  CONTAINER_UNHEALTHY,
  PROCESS_COUNT,
];

/**
 * The metrics that say whether something is there. A name without `*` in the scope of their rules is expected: the value is 0
 * on a host that reports containers, or counts of processes, without it.
 */
export const PRESENCE_METRICS: Readonly<Record<'container' | 'process', string>> = {
  container: CONTAINER_RUNNING,
  process: PROCESS_COUNT,
};

/** Whether a metric says if something is there. */
export function isPresence(metric: string): boolean {
  return metric === CONTAINER_RUNNING || metric === PROCESS_COUNT;
}

/**
 * The kind of subject that a rule on this metric evaluates: hosts, containers, or processes of one name. Rules of hosts may
 * also evaluate parts: see `partMetricOf`.
 */
export function subjectKindOf(metric: string): Exclude<Subject['kind'], 'part'> {
  if (metric.startsWith('container.')) return 'container';
  return metric.startsWith('process.') ? 'process' : 'host';
}

/** The field of a container or process that the metric of a rule refers to. */
export function fieldOf(metric: string): string {
  return metric.slice(subjectKindOf(metric).length + 1);
}

/** A metric of the parts of one kind, such as `used_percent` of filesystems. */
export interface PartMetric {
  kind: string;
  metric: string;
}

/**
 * The kind of parts, and their metric, that a rule on this metric evaluates besides a metric of hosts that has this very
 * name; null for none. A kind has no full stop, so that it ends at the first one.
 */
export function partMetricOf(metric: string): PartMetric | null {
  const end = metric.indexOf('.');
  if (end < 1 || end === metric.length - 1) return null;
  const kind = metric.slice(0, end);
  const isKind = [...kind].length <= PART_BOUNDS.kind && partKindFault(kind) === undefined;
  return isKind ? { kind, metric: metric.slice(end + 1) } : null;
}

/** The metrics of `partMetricOf` as a regular expression, for the API document. */
export const PART_METRIC_PATTERN = `^(?!(?:host|container|process|part)\\.)[^.:*]{1,${PART_BOUNDS.kind}}\\.[\\s\\S]`;
