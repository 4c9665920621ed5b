import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { HostSnapshot, SnapshotMember } from '@tidewatch/domain/snapshots/host-snapshot';
import type { Snapshot } from '../../samples/write-snapshots.ts';
import type { SnapshotSpan } from '../snapshot-reader.ts';

/** What is stored, as a map by host and time: the naive model of a reader of snapshots. */
export class SnapshotModel {
  readonly #hosts = new Map<string, Map<number, HostSnapshot>>();

  add(snapshots: readonly Snapshot[]): void {
    for (const { serviceId, time, containers, processes } of snapshots) {
      const host = this.#hosts.get(serviceId) ?? new Map<number, HostSnapshot>();
      const before = host.get(time);
      host.set(time, {
        time,
        containers: containers ?? before?.containers ?? null,
        processes: processes ?? before?.processes ?? null,
      });
      this.#hosts.set(serviceId, host);
    }
  }

  within({ serviceId, from, to }: SnapshotSpan): HostSnapshot[] {
    const all = [...(this.#hosts.get(serviceId)?.values() ?? [])];
    return all.filter(({ time }) => time >= from && time < to).sort((a, b) => a.time - b.time);
  }

  lists(span: SnapshotSpan, member: SnapshotMember) {
    return this.within(span).flatMap((snapshot) => {
      const list = snapshot[member];
      return list === null ? [] : [{ time: snapshot.time, list }];
    });
  }

  newestOfSteps(span: SnapshotSpan, member: SnapshotMember, stepMs: number) {
    const lists = this.lists(span, member);
    return lists.filter(({ time }, index) => {
      const next = lists[index + 1];
      return next === undefined || bucketOf(next.time, stepMs) !== bucketOf(time, stepMs);
    });
  }
}

export const HOSTS = ['svc_a', 'svc_b', 'svc_c'] as const;
/** Sends no containers. */
const BARE = 'svc_b';

/**
 * Transactions of random snapshots over five hours up to `now` (ms): in order, late, sent twice, and with one list only. Each host is in
 * a transaction once for each time.
 */
export function randomSnapshots(random: () => number, now: number, count: number): Snapshot[][] {
  const pick = (below: number) => Math.floor(random() * below);
  const begin = now - 5 * HOUR_MS;
  return Array.from({ length: count }, (_, index) => {
    const snapshots = new Map<string, Snapshot>();
    const length = 1 + pick(6);
    for (let number = 0; number < length; number += 1) {
      const serviceId = HOSTS[pick(HOSTS.length)] as string;
      const isLate = random() < 0.3;
      const behind = isLate ? pick(300) : pick(3);
      const steps = Math.floor((index / count) * 300);
      const time = begin + Math.max(0, steps - behind) * MINUTE_MS + pick(2) * 10_000 + pick(2);
      const which = pick(4);
      snapshots.set(`${serviceId} ${time}`, {
        time,
        organizationId: 'org_a',
        serviceId,
        ...(which !== 0 && { processes: randomProcesses(pick) }),
        ...(which !== 1 && serviceId !== BARE && { containers: randomContainers(pick) }),
      });
    }
    return [...snapshots.values()].filter(({ processes, containers }) => processes ?? containers);
  });
}

function randomProcesses(pick: (below: number) => number): ProcessInfo[] {
  return Array.from({ length: pick(6) }, (_, index) => ({
    name: ['node', 'postgres', 'ssh-agent', 'Ünix'][pick(4)] as string,
    pid: 100 + index + pick(3),
    ...(pick(5) > 0 && { cpu_percent: pick(10_000) / 100 }),
    ...(pick(5) > 0 && { memory_rss: pick(9) * 4_096 }),
  }));
}

function randomContainers(pick: (below: number) => number): Container[] {
  return Array.from({ length: pick(4) }, (_, index) => ({
    name: ['web', 'db', 'cache', 'job'][(pick(2) + index) % 4] as string,
    ...(pick(3) > 0 && { image: 'web:1', status: 'running' }),
    ...(pick(3) > 0 && { cpu_percent: pick(1_000) / 10, memory_usage: pick(1e9) }),
    ...(pick(3) === 0 && { restarts: pick(3) }),
  }));
}
