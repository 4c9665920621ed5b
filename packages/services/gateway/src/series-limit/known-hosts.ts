import { type PartShape, seriesKey } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { isSameList } from '@tidewatch/contracts/values/lists';
import { LRUCache } from 'lru-cache';
import type { SeriesStore } from './series-store.ts';

/** A new series: a metric of a payload, of its host or of the container or part at `index`. */
export interface NewSeries {
  of: 'host' | 'container' | 'part';
  /** The position of the container or part in the payload; 0 for the host. */
  index: number;
  metric: string;
}

/** The known metrics of one host, by subject: names of containers, '' for the host itself, and those of all parts together by their keys. */
export interface HostSeries {
  subjects: Map<string, Set<string>>;
  /** The metric names of the last payload whose names are all known: most payloads repeat them. */
  usual: readonly string[];
  /** The parts and metrics of the last payload whose parts are all known. */
  usualParts: readonly string[];
}

/** Maximum number of cached metrics of all hosts. */
const MAX_METRICS = 2_000_000;
/** How long (ms) and for how many hosts the first-level cache is used, since a lookup in the LRU cache costs more. */
const AT_HAND_MS = 10_000;
const MAX_AT_HAND = 50_000;
/** After this time a host is read again, ms, because its series may have become inactive, or its service may be deleted. */
const REMEMBERED_MS = 600_000;

/** A bounded cache of the series of hosts, which are read from the store where they are missing. */
export class KnownHosts {
  readonly #store: SeriesStore;
  readonly #hosts = new LRUCache<string, HostSeries>({
    maxSize: MAX_METRICS,
    ttl: REMEMBERED_MS,
    ttlResolution: 1_000,
  });

  /** Recent hosts by organization. */
  #atHand = new Map<string, Map<string, HostSeries>>();
  #atHandCount = 0;
  #atHandSince = 0;

  constructor(store: SeriesStore) {
    this.#store = store;
  }

  /** Returns the series of each payload's host. Rejects if some must be read and the store is unavailable. */
  async seriesOf(organizationId: string, payloads: readonly Payload[]): Promise<HostSeries[]> {
    const unknown = new Map<string, HostSeries>();
    const atHand = this.#atHandOf(organizationId);
    const all = payloads.map(({ host }) => {
      const known = atHand.get(host) ?? this.#find(organizationId, host, atHand) ?? unknown.get(host);
      if (known !== undefined) return known;
      const series: HostSeries = { subjects: new Map(), usual: [], usualParts: [] };
      unknown.set(host, series);
      return series;
    });
    if (unknown.size > 0) await this.#load(organizationId, unknown);
    return all;
  }

  /** Adds the new series of an accepted payload to the known ones. */
  admit(organizationId: string, series: HostSeries, payload: Payload, added: readonly NewSeries[]): void {
    for (const each of added) metricsOf(series, subjectOf(payload, each)).add(keyOfSeries(payload, each));
    this.#keep(organizationId, payload.host, series);
  }

  /** Reverts `admit`. */
  withdraw(series: HostSeries, payload: Payload, added: readonly NewSeries[]): void {
    for (const each of added)
      series.subjects.get(subjectOf(payload, each))?.delete(keyOfSeries(payload, each));
    series.usual = [];
    series.usualParts = [];
  }

  #find(organizationId: string, host: string, atHand: Map<string, HostSeries>): HostSeries | undefined {
    const known = this.#hosts.get(keyOf(organizationId, host));
    if (known === undefined) return undefined;
    atHand.set(host, known);
    this.#atHandCount += 1;
    return known;
  }

  #atHandOf(organizationId: string): Map<string, HostSeries> {
    const now = performance.now();
    if (now - this.#atHandSince > AT_HAND_MS || this.#atHandCount > MAX_AT_HAND) {
      this.#atHand = new Map();
      this.#atHandCount = 0;
      this.#atHandSince = now;
    }
    let hosts = this.#atHand.get(organizationId);
    if (hosts === undefined) {
      hosts = new Map();
      this.#atHand.set(organizationId, hosts);
    }
    return hosts;
  }

  async #load(organizationId: string, hosts: ReadonlyMap<string, HostSeries>): Promise<void> {
    for (const { host, container, metrics } of await this.#store.known(organizationId, [...hosts.keys()])) {
      const known = metricsOf(hosts.get(host) as HostSeries, container ?? '');
      for (const metric of metrics) known.add(metric);
    }
    for (const { host, kind, name, metric } of await this.#store.knownParts(organizationId, [
      ...hosts.keys(),
    ]))
      metricsOf(hosts.get(host) as HostSeries, PARTS).add(seriesKey(partSubject(kind, name), metric));
    for (const [host, series] of hosts) this.#keep(organizationId, host, series);
  }

  #keep(organizationId: string, host: string, series: HostSeries): void {
    let size = 1;
    for (const metrics of series.subjects.values()) size += 1 + metrics.size;
    this.#hosts.set(keyOf(organizationId, host), series, { size });
  }
}

/** Returns the series of a payload that its host does not have yet. */
export function newSeriesOf(series: HostSeries, payload: Payload): NewSeries[] {
  const added: NewSeries[] = [];
  if (!isUsual(series, payload.metrics)) {
    const known = series.subjects.get('');
    for (const metric of payload.metrics)
      if (known === undefined || !known.has(metric)) added.push({ of: 'host', index: 0, metric });
    if (added.length === 0) series.usual = payload.metrics;
  }
  if (payload.parts !== undefined) addNewOfParts(series, payload.parts.shape, added);
  if (payload.containers === undefined) return added;
  for (const [index, container] of payload.containers.entries()) {
    const known = series.subjects.get(container.name);
    for (const [metric, value] of Object.entries(container))
      if (typeof value === 'number' && !known?.has(metric)) added.push({ of: 'container', index, metric });
  }
  return added;
}

function addNewOfParts(series: HostSeries, shape: PartShape, added: NewSeries[]): void {
  if (isSameList(shape.keys, series.usualParts)) return;
  const known = series.subjects.get(PARTS);
  const before = added.length;
  let index = 0;
  for (const [at, key] of shape.keys.entries()) {
    while (at >= (shape.ends[index] as number)) index += 1;
    if (!known?.has(key)) added.push({ of: 'part', index, metric: shape.metrics[at] as string });
  }
  if (added.length > before) return;
  series.usualParts = shape.keys;
  // A set keeps the first of equal texts: hosts with the same parts share those of the shape.
  series.subjects.set(PARTS, new Set([...shape.keys, ...(known ?? [])]));
}

function isUsual({ usual }: HostSeries, metrics: readonly string[]): boolean {
  return usual === metrics || metrics.every((metric, index) => metric === usual[index]);
}

function keyOf(organizationId: string, host: string): string {
  return `${organizationId} ${host}`;
}

/** The subject of all parts: no container has this name. */
const PARTS = '\0parts';

function subjectOf(payload: Payload, { of, index }: NewSeries): string {
  if (of === 'host') return '';
  return of === 'part' ? PARTS : (payload.containers?.[index]?.name ?? '');
}

/** What a series is known by within its subject. */
function keyOfSeries({ parts }: Payload, { of, index, metric }: NewSeries): string {
  if (of !== 'part' || parts === undefined) return metric;
  const { kinds, names } = parts.shape;
  return seriesKey(partSubject(kinds[index] as string, names[index] as string), metric);
}

function metricsOf({ subjects }: HostSeries, subject: string): Set<string> {
  let metrics = subjects.get(subject);
  if (metrics === undefined) {
    metrics = new Set();
    subjects.set(subject, metrics);
  }
  return metrics;
}
