import type { FleetSnapshot } from '@tidewatch/contracts/services/fleet-snapshot';
import type { Service } from '@tidewatch/contracts/services/service';
import type { FleetPart, HostColumns, TagColumn } from './fleet.ts';
import { statusCode } from './fleet.ts';

/** Reads the body of a snapshot into typed arrays. Throws SyntaxError if it is no JSON. */
export function parseSnapshot(body: string): FleetPart {
  const { as_of, token, full, columns, tags, removed } = JSON.parse(body) as FleetSnapshot;
  const numbers = (values: readonly (number | null)[]) => Float64Array.from(values, (v) => v ?? Number.NaN);
  const times = (values: readonly string[]) => Float64Array.from(values, (text) => Date.parse(text));
  const hosts: HostColumns = {
    ids: columns.id,
    names: columns.name,
    status: Uint8Array.from(columns.status, statusCode),
    statusSince: times(columns.status_since),
    lastSeen: times(columns.last_seen),
    metrics: {
      cpu_percent: numbers(columns.cpu_percent),
      memory_percent: numbers(columns.memory_percent),
      disk_percent: numbers(columns.disk_percent),
    },
    critical: Uint32Array.from(columns.critical),
    warning: Uint32Array.from(columns.warning),
    info: Uint32Array.from(columns.info),
    tags: Object.fromEntries(
      Object.entries(tags).map(([tag, { values, index }]) => [
        tag,
        { values, index: Int32Array.from(index, (place) => place ?? -1) },
      ]),
    ),
  };
  return { asOf: Date.parse(as_of), token, isFull: full, hosts, removed };
}

/** Reads an export of services at an earlier time, a line of JSON for each, as a full snapshot without a token. */
export function parseServiceLines(body: string, asOf: number, tags: readonly string[]): FleetPart {
  const services = body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Service);
  const of = <T>(read: (service: Service) => T): T[] => services.map(read);
  const metric = (name: keyof Service['metrics']) =>
    Float64Array.from(services, ({ metrics }) => metrics[name] ?? Number.NaN);
  const hosts: HostColumns = {
    ids: of(({ id }) => id),
    names: of(({ name }) => name),
    status: Uint8Array.from(services, ({ status }) => statusCode(status)),
    statusSince: Float64Array.from(services, (service) => Date.parse(service.status_since)),
    lastSeen: Float64Array.from(services, (service) => Date.parse(service.last_seen)),
    metrics: {
      cpu_percent: metric('cpu_percent'),
      memory_percent: metric('memory_percent'),
      disk_percent: metric('disk_percent'),
    },
    critical: Uint32Array.from(services, (service) => service.active_alerts.critical),
    warning: Uint32Array.from(services, (service) => service.active_alerts.warning),
    info: Uint32Array.from(services, (service) => service.active_alerts.info),
    tags: Object.fromEntries(
      tags.map((tag) => [tag, tagColumn(services.map((service) => service.tags[tag] ?? null))]),
    ),
  };
  return { asOf, token: null, isFull: true, hosts, removed: [] };
}

/** A column of these values, each distinct one stored once. */
export function tagColumn(given: readonly (string | null)[]): TagColumn {
  const places = new Map<string, number>();
  const index = Int32Array.from(given, (value) => {
    if (value === null) return -1;
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  return { values: [...places.keys()], index };
}
