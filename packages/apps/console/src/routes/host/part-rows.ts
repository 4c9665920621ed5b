import { unitOf } from '@tidewatch/contracts/values/unit';
import { formatValue } from '../../components/number/number-format.ts';
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
  'dropped_payload_count',
  'buffered_payloads',
  'failing_collectors',
  'stored_series',
  'left_out_series',
  'rejected_points',
];
/** Metrics that are 1 or 0 for yes or no. */
const FLAGS = new Set(['up', 'failed', 'active', 'read_only', 'healthy', 'alarm', 'syncing']);

/** The parts of a host by kind, kinds and names in their order. */
export function partGroups(parts: readonly Part[]): PartGroup[] {
  const kinds = [...new Set(parts.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => {
    const own = parts.filter((part) => part.kind === kind);
    own.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    return { kind, parts: own, metrics: metricsOf(own) };
  });
}

/** An order of a table of parts: the id of a column, `-` before it descends. */
export type PartsOrder = string;

/** The parts in an order; those without its metric come last, and equal ones stay by name. */
export function sortParts(parts: readonly Part[], order: PartsOrder): Part[] {
  const descending = order.startsWith('-');
  const id = descending ? order.slice(1) : order;
  if (id === 'name') return descending ? parts.toReversed() : [...parts];
  const measured = (part: Part) =>
    id === 'time' ? Date.parse(part.time) : part.metrics[id.slice(METRIC.length)];
  return parts.toSorted((a, b) => {
    const [one, other] = [measured(a), measured(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return descending ? other - one : one - other;
  });
}

/** The order after a choice of the heading of a column: numbers and times begin with the highest. */
export function nextOrder(order: PartsOrder, id: string): PartsOrder {
  const [first, second] = id === 'name' ? [id, `-${id}`] : [`-${id}`, id];
  return order === first ? second : first;
}

/** The beginning of the id of a column with a metric. */
export const METRIC = 'metric ';

/**
 * The metrics that some of the parts have, those that matter most first, and then those that most of the parts have which
 * none of the former belongs to: as many parts as possible show something.
 */
function metricsOf(parts: readonly Part[]): string[] {
  const names = [...new Set(parts.flatMap(({ metrics }) => Object.keys(metrics)))].sort();
  const shown = FIRST.filter((name) => names.includes(name)).slice(0, MAX_METRICS);
  while (shown.length < Math.min(MAX_METRICS, names.length)) {
    const bare = parts.filter(({ metrics }) => !shown.some((name) => name in metrics));
    const count = (name: string) => bare.filter(({ metrics }) => name in metrics).length;
    const [next = ''] = names.filter((name) => !shown.includes(name)).sort((a, b) => count(b) - count(a));
    shown.push(next);
  }
  return shown;
}

/** "81.2 %", and yes or no of a metric that is one or the other; empty where the part does not have the metric. */
export function valueText({ metrics }: Part, metric: string): string {
  const value = metrics[metric];
  if (value === undefined) return '';
  if (FLAGS.has(metric) && (value === 0 || value === 1)) return value === 1 ? 'yes' : 'no';
  return formatValue(value, unitOf(metric), metric);
}

/** The end of a metric's name that its values say with their unit. */
const UNIT_SUFFIX = /(?:_percent|_bytes|_bytes_per_second|_per_second|_seconds|_ms|_celsius)$/;

/**
 * A short name of a metric for people, as "inodes used" of `inodes_used_percent`; beside a metric that would have the same
 * name, such as `inodes_used`, the unit stays in it.
 */
export function shortName(metric: string, shown: readonly string[] = []): string {
  const name = metric.replace(UNIT_SUFFIX, '');
  const isShared = shown.some((other) => other !== metric && other.replace(UNIT_SUFFIX, '') === name);
  return (isShared ? metric : name).replace(/[_.]+/g, ' ').trim() || metric;
}

/** The labels of a part as a line: "type=ext4 device=/dev/sda1". The version comes first, since a line may be cut. */
export function labelsText(labels: Part['labels']): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => Number(b === 'version') - Number(a === 'version'))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** The subject of a part as the API names it. */
export function subjectOf({ kind, name }: Part): string {
  return `part:${kind}:${name}`;
}
