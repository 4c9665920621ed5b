/** States of hosts, worst first; a host has the position of its state. */
export const FLEET_STATUSES = [
  'critical',
  'offline',
  'degraded',
  'maintenance',
  'healthy',
  'unknown',
] as const;
export type FleetStatus = (typeof FLEET_STATUSES)[number];

/** The metrics that a snapshot has of each host, all in percent. */
export const FLEET_METRICS = ['cpu_percent', 'memory_percent', 'disk_percent'] as const;
export type FleetMetric = (typeof FLEET_METRICS)[number];

export interface TagColumn {
  readonly values: readonly string[];
  /** For each host the position of its value in `values`; -1 without the tag. */
  readonly index: Int32Array;
}

/** Columns of hosts: entry `row` of each belongs to the same host. */
export interface HostColumns {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** Positions in FLEET_STATUSES. */
  readonly status: Uint8Array;
  /** ms since the epoch. */
  readonly statusSince: Float64Array;
  readonly lastSeen: Float64Array;
  /** NaN where a host never reported the metric. */
  readonly metrics: Readonly<Record<FleetMetric, Float64Array>>;
  /** Active alerts by severity. */
  readonly critical: Uint32Array;
  readonly warning: Uint32Array;
  readonly info: Uint32Array;
  readonly tags: Readonly<Record<string, TagColumn>>;
}

/** What one response says: all hosts, or those that have changed and the ids of those that have left. */
export interface FleetPart {
  readonly asOf: number;
  readonly token: string | null;
  readonly isFull: boolean;
  readonly hosts: HostColumns;
  readonly removed: readonly string[];
}

/** The hosts of an organization by name. Immutable: each response makes a new one. */
export interface Fleet {
  readonly asOf: number;
  readonly token: string | null;
  readonly hosts: HostColumns;
}

export function statusOf(hosts: HostColumns, row: number): FleetStatus {
  return FLEET_STATUSES[hosts.status[row] ?? 5] ?? 'unknown';
}

export function statusCode(status: string): number {
  const code = FLEET_STATUSES.indexOf(status as FleetStatus);
  return code === -1 ? FLEET_STATUSES.length - 1 : code;
}

/** The value of a host's tag; null without it. */
export function tagOf(hosts: HostColumns, tag: string, row: number): string | null {
  const column = hosts.tags[tag];
  return column?.values[column.index[row] ?? -1] ?? null;
}
