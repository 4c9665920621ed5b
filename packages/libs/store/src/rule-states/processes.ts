import type { Queryable } from '@tidewatch/database/connection';
import { sumProcesses } from '@tidewatch/domain/snapshots/process-sums';
import { storedSnapshots } from '../snapshots/stored-snapshots.ts';

/**
 * The summed usage of all processes of one name at one time (ms). A field is null if no process has it; the name is null
 * for a payload with an empty list of processes.
 */
export interface ProcessSum {
  serviceId: string;
  time: number;
  name: string | null;
  cpuPercent: number | null;
  memoryRss: number | null;
}

/** The time of the newest payload with processes of each service, at or before its `until`, ms. */
export async function readNewestProcesses(
  sql: Queryable,
  services: readonly { org: string; id: string; until: number }[],
): Promise<Map<string, number>> {
  const spans = services.map(({ org, id, until }) => ({
    organizationId: org,
    serviceId: id,
    from: Number.NEGATIVE_INFINITY,
    to: until + 1,
  }));
  const times = await storedSnapshots.newestTimes(sql, spans, 'processes');
  const newest = new Map<string, number>();
  for (const [index, { id }] of services.entries()) {
    const time = times[index] ?? null;
    if (time !== null) newest.set(id, time);
  }
  return newest;
}

/** The process usage of services from the `after` of each up to its `until` (ms), oldest first. */
export async function readProcessesSince(
  sql: Queryable,
  services: readonly { org: string; id: string; after: number; until: number }[],
): Promise<ProcessSum[]> {
  const spans = services.map(({ org, id, after, until }) => ({
    organizationId: org,
    serviceId: id,
    from: after,
    to: until + 1,
  }));
  const found = await storedSnapshots.lists(sql, spans, 'processes');
  const sums: ProcessSum[] = [];
  for (const [index, { id: serviceId }] of services.entries())
    for (const { time, list } of found[index] ?? []) {
      if (list.length === 0) sums.push({ serviceId, time, name: null, cpuPercent: null, memoryRss: null });
      for (const { name, cpuPercent, memory: memoryRss } of sumProcesses(list))
        sums.push({ serviceId, time, name, cpuPercent, memoryRss });
    }
  return sums;
}
