import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { LRUCache } from 'lru-cache';
import type { SeriesStore } from './series-store.ts';

/** A metric of a payload that is no series yet; `container` is the position among the payload's containers. */
export interface NewSeries {
  container: number | null;
  metric: string;
}

/** The metrics of one host by subject: the containers' names, '' for the host itself. */
type HostSeries = Map<string, Set<string>>;

/** Metrics that are remembered at most, of all hosts together. */
const MOST_METRICS = 2_000_000;
/** After so long a host is read anew, for its series may have come to rest, or its service may be deleted. */
const REMEMBERED_MS = 600_000;

/** Which series hosts have, as far as that was asked: bounded, and read from the store where it is not known. */
export class KnownHosts {
  readonly #store: SeriesStore;
  readonly #hosts = new LRUCache<string, HostSeries>({ maxSize: MOST_METRICS, ttl: REMEMBERED_MS });

  constructor(store: SeriesStore) {
    this.#store = store;
  }

  /** Hosts of the payloads that are to be loaded before `newSeries` can tell. */
  unknown(organizationId: string, payloads: readonly Payload[]): string[] {
    const hosts = new Set<string>();
    for (const { host } of payloads) if (!this.#hosts.has(keyOf(organizationId, host))) hosts.add(host);
    return [...hosts];
  }

  async load(organizationId: string, hosts: readonly string[]): Promise<void> {
    const loaded = new Map<string, HostSeries>(hosts.map((host) => [host, new Map()]));
    for (const { host, container, metrics } of await this.#store.known(organizationId, hosts)) {
      const known = metricsOf(loaded.get(host) as HostSeries, container ?? '');
      for (const metric of metrics) known.add(metric);
    }
    for (const [host, series] of loaded) this.#keep(organizationId, host, series);
  }

  newSeries(organizationId: string, payload: Payload): NewSeries[] {
    const series = this.#hosts.get(keyOf(organizationId, payload.host));
    const added: NewSeries[] = [];
    const ofHost = series?.get('');
    for (const metric in payload.metrics)
      if (ofHost === undefined || !ofHost.has(metric)) added.push({ container: null, metric });
    for (const [index, container] of (payload.containers ?? []).entries()) {
      const known = series?.get(container.name);
      for (const [metric, value] of Object.entries(container))
        if (typeof value === 'number' && !known?.has(metric)) added.push({ container: index, metric });
    }
    return added;
  }

  /** The payload was admitted: its series are known from now on. */
  admit(organizationId: string, payload: Payload, added: readonly NewSeries[]): void {
    const series: HostSeries = this.#hosts.get(keyOf(organizationId, payload.host)) ?? new Map();
    for (const { container, metric } of added) {
      metricsOf(series, subjectOf(payload, container)).add(metric);
    }
    this.#keep(organizationId, payload.host, series);
  }

  /** Takes `admit` back. */
  withdraw(organizationId: string, payload: Payload, added: readonly NewSeries[]): void {
    const series = this.#hosts.get(keyOf(organizationId, payload.host));
    for (const { container, metric } of added) series?.get(subjectOf(payload, container))?.delete(metric);
  }

  #keep(organizationId: string, host: string, series: HostSeries): void {
    let size = 1;
    for (const metrics of series.values()) size += 1 + metrics.size;
    this.#hosts.set(keyOf(organizationId, host), series, { size });
  }
}

function keyOf(organizationId: string, host: string): string {
  return `${organizationId} ${host}`;
}

function subjectOf(payload: Payload, container: number | null): string {
  return container === null ? '' : (payload.containers?.[container]?.name ?? '');
}

function metricsOf(series: HostSeries, subject: string): Set<string> {
  let metrics = series.get(subject);
  if (metrics === undefined) {
    metrics = new Set();
    series.set(subject, metrics);
  }
  return metrics;
}
