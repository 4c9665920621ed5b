import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import type { SnapshotFacts, UseFacts } from '@tidewatch/domain/investigation/facts';
import type { FactsRequest } from './facts-request.ts';

const MAX_SNAPSHOTS = 240;
/** The number of process names with the highest processor usage, and of those with the highest memory usage. */
const MAX_NAMES = 150;
const MAX_PIDS = 8;

type ContainerUse = SnapshotFacts['containers'][number];
interface StepRow {
  step: number;
  time: number;
}

/** The newest processes and containers of the host in each minute since `from` (ms); processes of one name are summed. */
export async function readSnapshots(
  tx: Transaction,
  request: FactsRequest,
  from: number,
): Promise<SnapshotFacts[]> {
  const minutes = Math.max(1, Math.ceil((request.to - from) / MINUTE_MS / MAX_SNAPSHOTS));
  const [processes, containers] = await Promise.all([
    readProcesses(tx, request, from, minutes),
    readContainers(tx, request, from, minutes),
  ]);
  const byStep = new Map<number, { time: number; processes: UseFacts[]; containers: ContainerUse[] }>();
  const at = ({ step, time }: StepRow) => {
    const snapshot = byStep.get(step) ?? { time, processes: [], containers: [] };
    snapshot.time = Math.max(snapshot.time, time);
    byStep.set(step, snapshot);
    return snapshot;
  };
  for (const { step, time, ...use } of processes) at({ step, time }).processes.push(use);
  for (const { step, time, image, status, ...use } of containers)
    at({ step, time }).containers.push({ ...use, count: 1, pids: [], image, status });
  return [...byStep].sort(([a], [b]) => a - b).map(([, snapshot]) => snapshot);
}

async function readProcesses(tx: Transaction, request: FactsRequest, from: number, minutes: number) {
  return await tx<(UseFacts & StepRow)[]>`
    with newest as (${newest(tx, request, from, minutes, 'processes')}),
    uses as materialized (
      select n.step, n."time", p.name, count(*)::int as count,
        (array_agg(p.pid order by p.cpu_percent desc nulls last, p.pid))[1:${MAX_PIDS}::int] as pids,
        sum(p.cpu_percent) as cpu, sum(p.memory_rss) as memory
      from newest n
      join snapshots s on s.organization_id = ${request.organizationId} and s.service_id = ${request.serviceId} and s."time" = n."time"
      cross join lateral jsonb_to_recordset(s.processes)
        as p (name text, pid float8, cpu_percent float8, memory_rss float8)
      group by 1, 2, 3
    ), greatest_uses as (
      (select name from uses group by name order by max(cpu) desc nulls last, name limit ${MAX_NAMES})
      union
      (select name from uses group by name order by max(memory) desc nulls last, name limit ${MAX_NAMES})
    )
    select u.step, u."time", u.name, u.count, u.pids, u.cpu as "cpuPercent", u.memory
    from uses u join greatest_uses g on g.name = u.name order by u.step, u.name`;
}

async function readContainers(tx: Transaction, request: FactsRequest, from: number, minutes: number) {
  return await tx<(Omit<ContainerUse, 'count' | 'pids'> & StepRow)[]>`
    with newest as (${newest(tx, request, from, minutes, 'containers')})
    select n.step, n."time", c.name, c.image, c.status, c.cpu_percent as "cpuPercent", c.memory_usage as memory
    from newest n
    join snapshots s on s.organization_id = ${request.organizationId} and s.service_id = ${request.serviceId} and s."time" = n."time"
    cross join lateral jsonb_to_recordset(s.containers)
      as c (name text, image text, status text, cpu_percent float8, memory_usage float8)
    order by n.step, c.name`;
}

/** SQL of the time of the newest snapshot with processes, or containers, in each step. */
function newest(
  tx: Transaction,
  { organizationId, serviceId, to }: FactsRequest,
  from: number,
  minutes: number,
  member: 'processes' | 'containers',
) {
  return tx`
    select date_bin(${`${minutes} minutes`}::text::interval, s."time", timestamptz '1970-01-01 00:00:00+00') as step,
      max(s."time") as "time"
    from snapshots s
    where s.organization_id = ${organizationId} and s.service_id = ${serviceId} and s.${tx(member)} is not null
      and s."time" >= ${toIso(from)}::timestamptz and s."time" < ${toIso(to)}::timestamptz
    group by 1`;
}
