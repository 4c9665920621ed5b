import { FLEET_METRICS, type FleetStatus, type HostColumns, statusCode } from './fleet.ts';
import { tagColumn } from './parse-snapshot.ts';

export interface GivenHost {
  name: string;
  id?: string;
  status?: FleetStatus;
  cpu?: number | null;
  critical?: number;
  warning?: number;
  lastSeen?: number;
  tags?: Record<string, string>;
}

/** Columns of these hosts; what is not given is healthy, zero or absent. */
export function fleetOf(given: readonly GivenHost[]): HostColumns {
  const tagNames = [...new Set(given.flatMap(({ tags = {} }) => Object.keys(tags)))];
  return {
    ids: given.map(({ id, name }) => id ?? `svc_${name}`),
    names: given.map(({ name }) => name),
    status: Uint8Array.from(given, ({ status = 'healthy' }) => statusCode(status)),
    statusSince: new Float64Array(given.length),
    lastSeen: Float64Array.from(given, ({ lastSeen = 0 }) => lastSeen),
    metrics: Object.fromEntries(
      FLEET_METRICS.map((metric) => [
        metric,
        Float64Array.from(given, ({ cpu }) => (metric === 'cpu_percent' ? (cpu ?? Number.NaN) : 50)),
      ]),
    ) as HostColumns['metrics'],
    critical: Uint32Array.from(given, ({ critical = 0 }) => critical),
    warning: Uint32Array.from(given, ({ warning = 0 }) => warning),
    info: new Uint32Array(given.length),
    tags: Object.fromEntries(
      tagNames.map((tag) => [tag, tagColumn(given.map(({ tags = {} }) => tags[tag] ?? null))]),
    ),
  };
}
