import { createHash } from 'node:crypto';
import { PART_BOUNDS } from '@tidewatch/contracts/ingest/part';
import type { Omission } from '../series/point-sink.ts';
import { type AgentProtocolName, labelOf, type SentSeries, type SeriesType } from '../series/sent-series.ts';
import { AGENT_FAMILIES } from './families/agent-families.ts';
import type { AgentFamily, Merged } from './families/family.ts';
import { REPLICA_LABELS } from './host-identity.ts';
import type { HostPart } from './outputs/host-part.ts';

/** How a value becomes one of the metric: as it is, as a rate of a counter, or of what was added. */
export type Mode = 'gauge' | 'counter' | 'delta';

/** Where the values of a series are stored: a metric of the host, or of one of its parts. */
export interface MetricPlace {
  part: HostPart | null;
  metric: string;
  /** The name of a counter, or of what was added, as it is sent; null for a gauge. */
  raw: string | null;
  mode: Mode;
  /** How several series of the metric are combined; null where it has one. */
  combined: 'sum' | 'mean' | null;
  /** Whether they come at times of their own, as instances of a service do, in place of together as cores do. */
  isApart: boolean;
  /** Which of several series it is, such as a core; replicas that send the same have the same. */
  contributor: string;
  /** Labels that are tags of the host: names and values by turns. */
  tags: readonly string[];
}

/** Labels of applications that say something about their host. */
const TAGS_OF_HOSTS = new Set(['env', 'environment', 'cluster', 'region', 'zone', 'datacenter', 'team']);
const RENAMED_TAGS: Readonly<Record<string, string>> = {
  'deployment.environment': 'environment',
  'deployment.environment.name': 'environment',
  'cloud.region': 'region',
  'cloud.availability_zone': 'zone',
};
/** Attributes of a resource that are no tags of its host. */
const NO_TAGS =
  /^(?:host\.name$|host\.id$|k8s\.node\.name$|process\.|service\.|telemetry\.|container\.|device\.|faas\.|k8s\.(?:pod|container|namespace|deployment|replicaset|statefulset|daemonset|job|cronjob)\.)/;
/** Attributes of a resource that name what a series without a service belongs to. */
const OWNERS = [
  'k8s.namespace.name',
  'k8s.pod.name',
  'k8s.container.name',
  'container.name',
  'process.executable.name',
  'device.id',
  'faas.name',
];
/** Labels that say who scraped or sent, not what. */
const SENDER_LABELS = new Set([
  'instance',
  'job',
  'otel_scope_name',
  'otel_scope_version',
  '__name__',
  'prometheus',
]);
/** The protocols whose senders add labels to each series: external labels, relabelling, global tags. */
const ADDS_LABELS: ReadonlySet<AgentProtocolName> = new Set(['remote_write', 'influx', 'datadog']);
/** Names with which subjects of other kinds begin. */
const RESERVED_NAMES = /^(?:container|process|host)\./;

const SCRAPE =
  /^(?:up|scrape_(?:duration_seconds|samples_\w+|series_added|timeout_seconds|body_size_bytes|sample_limit)|ALERTS(?:_FOR_STATE)?)$/;
const OF_EXPORTERS = /^(?:go|promhttp|python_gc|python_info|process)_/;
const COUNTER_NAMES = /_(?:total|sum|count)$/;

/**
 * Where a series is stored, or why it is not. `hostLabel` is the label that named the host; `applications` is whether series are
 * stored that are not of a host but of an application on it.
 */
export function placeOf(
  series: SentSeries,
  hostLabel: string | null,
  applications: boolean,
): MetricPlace | Omission {
  const family = AGENT_FAMILIES.find((each) => each.matches(series));
  const omission = omissionOf(series, family);
  if (omission !== undefined) return omission;
  if (family !== undefined) return placeInFamily(series, family, hostLabel);
  return applications ? placeOfApplication(series, hostLabel) : 'application';
}

function omissionOf(series: SentSeries, family: AgentFamily | undefined): Omission | undefined {
  const { name, labels, protocol } = series;
  const isPrometheus = protocol === 'remote_write';
  if (isPrometheus && SCRAPE.test(name)) return 'sign_of_scrape';
  if (name === 'target_info' || (isPrometheus && name.endsWith('_info'))) return 'information';
  if (isPrometheus && name.endsWith('_bucket') && labelOf(labels, 'le') !== undefined) return 'bucket';
  if (family !== undefined) return family.omissionOf(name);
  return isPrometheus && OF_EXPORTERS.test(name) ? 'exporter' : undefined;
}

function modeOf(type: SeriesType, name: string, family: AgentFamily | undefined): Mode {
  if (type !== 'unknown') return type;
  const isCounter = family === undefined ? COUNTER_NAMES.test(name) : family.isCounter(name);
  return isCounter ? 'counter' : 'gauge';
}

/** The name of what is stored: of `http_requests_total` with the folded `200` it is `http_requests_200_per_second`. */
function metricName(name: string, mode: Mode, joint: string, folded: readonly string[]): string {
  const base = mode === 'gauge' ? name : name.replace(/_total$/, '');
  const whole = [base, ...folded].join(joint);
  const safe = RESERVED_NAMES.test(whole) ? `otel.${whole}` : whole;
  return mode === 'gauge' ? safe : `${safe}_per_second`;
}

/** The name of a counter that is stored as it is sent, by that of its rate: `http_requests_200_total`, so that it still says what it is. */
function rawName(name: string, rate: string): string {
  return rate.replace(/_per_second$/, name.endsWith('_total') ? '_total' : '');
}

function placeInFamily(
  series: SentSeries,
  family: AgentFamily,
  hostLabel: string | null,
): MetricPlace | Omission {
  const { name, labels, type } = series;
  const mode = modeOf(type, name, family);
  const left = new Map<string, string>();
  for (let at = 0; at < labels.length; at += 2) {
    const label = labels[at] as string;
    if (label === hostLabel || SENDER_LABELS.has(label) || REPLICA_LABELS.has(label)) continue;
    if (!family.ignored.includes(label)) left.set(label, labels[at + 1] as string);
  }
  for (const whole of family.ofHost ?? []) {
    const value = left.get(whole.label);
    if (value === undefined || !whole.names.test(name)) continue;
    if (value === whole.value) left.delete(whole.label);
    else if (whole.others === 'omit') return 'core';
  }
  const part = takePart(name, family, left);
  const folded = family.folded.flatMap((label) => take(left, label));
  const { combined, contributor } = takeMerged(name, family.merged, left, mode);
  // Only some senders add labels of their own to those of the family; elsewhere series differ by a further one.
  const tags = ADDS_LABELS.has(series.protocol) ? [...left].flat() : [];
  if (tags.length === 0) folded.push(...left.values());
  return {
    part,
    metric: metricName(name, mode, family.joint, folded),
    raw: mode === 'gauge' ? null : rawName(name, metricName(name, mode, family.joint, folded)),
    mode,
    combined,
    isApart: false,
    contributor,
    tags: [...tags, ...tagsOfResource(series.resource)],
  };
}

function take(left: Map<string, string>, label: string): string[] {
  const value = left.get(label);
  if (value === undefined) return [];
  left.delete(label);
  return [value];
}

function takePart(name: string, family: AgentFamily, left: Map<string, string>): HostPart | null {
  for (const { names, label, kind, texts, rename } of family.places) {
    const found = label.find((each) => left.has(each));
    if (found === undefined || !names.test(name)) continue;
    const [value] = take(left, found) as [string];
    const entries = Object.entries(texts).flatMap(([from, to]) =>
      from === found ? [] : take(left, from).map((text) => [to, cut(text, PART_BOUNDS.labelValue)] as const),
    );
    const labels = entries.length > 0 ? Object.fromEntries(entries) : null;
    return { kind, name: partName(rename?.(value) ?? value), labels };
  }
  return null;
}

function takeMerged(
  name: string,
  merged: readonly Merged[],
  left: Map<string, string>,
  mode: Mode,
): Pick<MetricPlace, 'combined' | 'contributor'> {
  let combined: MetricPlace['combined'] = null;
  const values: string[] = [];
  for (const { names, labels, gauges } of merged) {
    if (!names.test(name)) continue;
    for (const label of labels) {
      const value = take(left, label);
      if (value.length === 0) continue;
      values.push(...value);
      combined = mode === 'gauge' ? gauges : 'sum';
    }
  }
  return { combined, contributor: values.join(',') };
}

/** Attributes of a resource that are tags of its host. */
function tagsOfResource(resource: readonly string[]): string[] {
  const tags: string[] = [];
  for (let at = 0; at < resource.length; at += 2) {
    const name = resource[at] as string;
    if (!NO_TAGS.test(name)) tags.push(RENAMED_TAGS[name] ?? name, resource[at + 1] as string);
  }
  return tags;
}

/**
 * What is of no known family belongs to an application on the host: to its service or job, and to its labels behind that. Where
 * neither is named, the beginning of the metric's name is the kind of the part; without labels it is a metric of the host.
 */
function placeOfApplication(series: SentSeries, hostLabel: string | null): MetricPlace {
  const { name, labels, resource, type } = series;
  const tags: string[] = tagsOfResource(resource);
  const rest: string[] = [];
  for (let at = 0; at < labels.length; at += 2) {
    const [label, value] = [labels[at] as string, labels[at + 1] as string];
    if (label === hostLabel || SENDER_LABELS.has(label) || REPLICA_LABELS.has(label)) continue;
    if (TAGS_OF_HOSTS.has(label)) tags.push(label, value);
    else rest.push(`${label}=${value}`);
  }
  const mode = modeOf(type, name, undefined);
  const owner = ownerOf(series);
  const kind = owner?.kind ?? name.split(/[._]/, 1)[0] ?? '';
  const ofResource =
    owner === undefined ? OWNERS.flatMap((attribute) => assignmentOf(resource, attribute)) : [];
  const whole = [...(owner === undefined ? [] : [owner.name]), ...ofResource, ...rest].join(',');
  const part = whole === '' ? null : { kind: partKind(kind), name: partName(whole), labels: null };
  const joint = name.includes('.') ? '.' : '_';
  const metric = metricName(name, mode, joint, []);
  const raw = mode === 'gauge' ? null : rawName(name, metric);
  const combined = mode === 'gauge' ? 'mean' : 'sum';
  return { part, metric, raw, mode, combined, isApart: true, contributor: instanceOf(series), tags };
}

function assignmentOf(labels: readonly string[], name: string): string[] {
  const value = labelOf(labels, name);
  return value === undefined ? [] : [`${name}=${value}`];
}

/** Which instance of its service or job a series is of; without a name for it, what its resource says as a whole. */
function instanceOf({ resource, labels }: SentSeries): string {
  const named = labelOf(resource, 'service.instance.id') ?? labelOf(labels, 'instance');
  if (named !== undefined || resource.length === 0) return named ?? '';
  return createHash('sha256').update(JSON.stringify(resource)).digest('base64').slice(0, 16);
}

function ownerOf({ resource, labels }: SentSeries): { kind: string; name: string } | undefined {
  const service = labelOf(resource, 'service.name');
  if (service !== undefined && service !== '') return { kind: 'service', name: service };
  const job = labelOf(labels, 'job');
  return job === undefined ? undefined : { kind: 'job', name: job };
}

const FORBIDDEN_KINDS = new Set(['host', 'container', 'process', 'part']);

function partKind(text: string): string {
  const kind = cut(text.replaceAll(/[.:*]/g, '_'), PART_BOUNDS.kind) || 'series';
  return FORBIDDEN_KINDS.has(kind) ? `${kind}_series` : kind;
}

/** A name of a part of at most 255 characters; a longer one ends in a part of its SHA-256, so that it stays its own. */
function partName(text: string): string {
  const clean = text.replaceAll(/\p{Cc}/gu, '_').toWellFormed();
  if ([...clean].length <= PART_BOUNDS.name) return clean === '' ? '-' : clean;
  const digest = createHash('sha256').update(clean).digest('hex').slice(0, 16);
  return `${cut(clean, 200)}…${digest}`;
}

function cut(text: string, max: number): string {
  const points = [...text];
  return points.length <= max ? text : points.slice(0, max).join('');
}
