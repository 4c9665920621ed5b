import type { ContainerAnswer, ProcessAnswer } from '@tidewatch/contracts/ingest/snapshot';
import type { Queryable } from '@tidewatch/database/connection';

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
  const newest = <Stored>(member: 'containers' | 'processes') => sql<
    { time: number; list: Partial<Stored>[] }[]
  >`
    select "time", ${sql(member)} as list from organization_snapshots
    where organization_id = ${organizationId} and service_id = ${serviceId} and "time" <= ${time} and ${sql(member)} is not null
    order by "time" desc limit 1`;
  const [[containers], [processes]] = await Promise.all([
    newest<ContainerAnswer>('containers'),
    newest<ProcessAnswer>('processes'),
  ]);
  return {
    containers: { time: containers?.time ?? null, list: (containers?.list ?? []).map(containerAnswer) },
    processes: { time: processes?.time ?? null, list: (processes?.list ?? []).map(processAnswer) },
  };
}

function containerAnswer(stored: Partial<ContainerAnswer>): ContainerAnswer {
  const { name = '', image = null, status = null, health = null } = stored;
  const { cpu_percent = null, memory_usage = null } = stored;
  return { name, image, status, health, cpu_percent, memory_usage };
}

function processAnswer(stored: Partial<ProcessAnswer>): ProcessAnswer {
  const { name = '', pid = 0, cpu_percent = null, memory_rss = null } = stored;
  return { name, pid, cpu_percent, memory_rss };
}
