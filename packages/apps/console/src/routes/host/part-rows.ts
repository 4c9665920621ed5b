import type { Host } from './host-reads.ts';

export type Part = Host['parts'][number];

/** The parts of one kind, with the metrics that a table of them shows. */
export interface PartGroup {
  kind: string;
  parts: Part[];
  metrics: string[];
}

/** Metrics that are shown of parts of one kind at most; the charts of a part have all. */
const MAX_METRICS = 4;
/** What people look for first, in this order; the other metrics follow by name. */
const FIRST = [
  'used_percent',
  'utilization_percent',
  'inodes_used_percent',
  'read_bytes_per_second',
  'write_bytes_per_second',
  'receive_bytes_per_second',
  'transmit_bytes_per_second',
  'errors_per_second',
  'up',
  'failed',
  'active',
  'temperature_celsius',
];

/** The parts of a host by kind, kinds and names in their order. */
export function partGroups(parts: readonly Part[]): PartGroup[] {
  const kinds = [...new Set(parts.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => {
    const own = parts.filter((part) => part.kind === kind);
    own.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    return { kind, parts: own, metrics: metricsOf(own) };
  });
}

/** The metrics that some of the parts have, those that matter most first. */
function metricsOf(parts: readonly Part[]): string[] {
  const names = [...new Set(parts.flatMap(({ metrics }) => Object.keys(metrics)))].sort();
  const first = FIRST.filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))].slice(0, MAX_METRICS);
}

/** The end of a metric's name that its values say with their unit. */
const UNIT_SUFFIX = /(?:_percent|_bytes|_bytes_per_second|_per_second|_seconds|_celsius)$/;

/** A short name of a metric for people, as "inodes used" of `inodes_used_percent`. */
export function shortName(metric: string): string {
  return metric.replace(UNIT_SUFFIX, '').replaceAll('_', ' ') || metric;
}

/** The labels of a part as a line: "type=ext4 device=/dev/sda1". */
export function labelsText(labels: Part['labels']): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** The subject of a part as the API names it. */
export function subjectOf({ kind, name }: Part): string {
  return `part:${kind}:${name}`;
}
