import { FLEET_METRICS, type FleetPart } from './fleet.ts';

export interface ParseRequest {
  id: number;
  body: ArrayBuffer;
  /** Set where the body is an export of services; null for a snapshot. */
  services: { asOf: number; tags: readonly string[] } | null;
}

export type ParseResponse = { id: number; part: FleetPart } | { id: number; error: string };

/** The memory of the typed arrays, which moves between threads without a copy. */
export function buffersOf({ hosts }: FleetPart): ArrayBuffer[] {
  const arrays = [
    ...[hosts.status, hosts.statusSince, hosts.lastSeen, hosts.critical, hosts.warning, hosts.info],
    ...FLEET_METRICS.map((metric) => hosts.metrics[metric]),
    ...Object.values(hosts.tags).map(({ index }) => index),
  ];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}
