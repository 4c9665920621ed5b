import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import type { ContainerAnswer, ProcessAnswer } from '@tidewatch/contracts/ingest/snapshot';
import type { Queryable } from '@tidewatch/database/connection';
import { containerUse } from '@tidewatch/domain/snapshots/container-use';
import { organizationSnapshots } from '../snapshots/stored-snapshots.ts';

/** Processes and containers, each of the newest payload that carried them; times are ms, null where there is none. */
export interface SnapshotAt {
  processes: { time: number | null; list: ProcessAnswer[] };
  containers: { time: number | null; list: ContainerAnswer[] };
}

/** The processes and containers of a service at `time` (ms): those of the newest payloads at or before it. */
export async function readSnapshotAt(
  sql: Queryable,
  organizationId: string,
  serviceId: string,
  time: number,
): Promise<SnapshotAt> {
  const span = { organizationId, serviceId, from: Number.NEGATIVE_INFINITY, to: time + 1 };
  const [[[ofContainers] = []], [[ofProcesses] = []]] = await Promise.all([
    organizationSnapshots.newest(sql, [span], 'containers'),
    organizationSnapshots.newest(sql, [span], 'processes'),
  ]);
  return {
    containers: {
      time: ofContainers?.time ?? null,
      list: (ofContainers?.list ?? []).map(containerAnswer),
    },
    processes: {
      time: ofProcesses?.time ?? null,
      list: (ofProcesses?.list ?? []).map(processAnswer),
    },
  };
}

function containerAnswer(container: Container): ContainerAnswer {
  const { name, image, status, health } = container;
  const { cpuPercent, memory } = containerUse(container);
  return {
    name,
    image: image ?? null,
    status: status ?? null,
    health: health ?? null,
    cpu_percent: cpuPercent,
    memory_usage: memory,
  };
}

function processAnswer({ name, pid, cpu_percent, memory_rss }: ProcessInfo): ProcessAnswer {
  return { name, pid, cpu_percent: cpu_percent ?? null, memory_rss: memory_rss ?? null };
}
