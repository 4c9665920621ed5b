import type { HostSnapshot } from './host-snapshot.ts';

/**
 * Merges snapshots of one host by their time: of equal times the lists of the later one count, and those that it lacks are kept from
 * the earlier one. Returns them in the order of their times.
 */
export function mergeSnapshots(snapshots: Iterable<HostSnapshot>): HostSnapshot[] {
  const byTime = new Map<number, HostSnapshot>();
  for (const { time, containers, processes } of snapshots) {
    const before = byTime.get(time);
    byTime.set(time, {
      time,
      containers: containers ?? before?.containers ?? null,
      processes: processes ?? before?.processes ?? null,
    });
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}
