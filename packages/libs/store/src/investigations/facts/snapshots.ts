import type { Container } from '@tidewatch/contracts/ingest/sample';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import type { SnapshotFacts, UseFacts } from '@tidewatch/domain/investigation/facts';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { containerUse } from '@tidewatch/domain/snapshots/container-use';
import { type ProcessSums, sumProcesses } from '@tidewatch/domain/snapshots/process-sums';
import type { StoredList } from '../../snapshots/snapshot-reader.ts';
import { storedSnapshots } from '../../snapshots/stored-snapshots.ts';
import type { FactsRequest } from './facts-request.ts';

const MAX_SNAPSHOTS = 240;
/** The number of process names with the highest processor usage, and of those with the highest memory usage. */
const MAX_NAMES = 150;
const MAX_PIDS = 8;

/** The newest processes and containers of the host in each minute since `from` (ms); processes of one name are summed. */
export async function readSnapshots(
  tx: Transaction,
  { organizationId, serviceId, to }: FactsRequest,
  from: number,
): Promise<SnapshotFacts[]> {
  const minutes = Math.max(1, Math.ceil((to - from) / MINUTE_MS / MAX_SNAPSHOTS));
  const stepMs = minutes * MINUTE_MS;
  const span = { organizationId, serviceId, from, to };
  const [[processes = []], [containers = []]] = await Promise.all([
    storedSnapshots.lists(tx, [span], 'processes', { stepMs }),
    storedSnapshots.lists(tx, [span], 'containers', { stepMs }),
  ]);
  const byStep = new Map<number, { time: number; processes: UseFacts[]; containers: ContainerUse[] }>();
  const at = (time: number) => {
    const step = bucketOf(time, stepMs);
    const snapshot = byStep.get(step) ?? { time, processes: [], containers: [] };
    snapshot.time = Math.max(snapshot.time, time);
    byStep.set(step, snapshot);
    return snapshot;
  };
  for (const { time, uses } of withGreatestUses(processes))
    if (uses.length > 0) at(time).processes.push(...uses.map(useOf));
  for (const { time, list } of containers)
    if (list.length > 0) at(time).containers.push(...list.toSorted(byName).map(useOfContainer));
  return [...byStep].sort(([a], [b]) => a - b).map(([, snapshot]) => snapshot);
}

type ContainerUse = SnapshotFacts['containers'][number];

/** The sums by name of each list, of those names alone that at some time used most. */
function withGreatestUses(
  lists: readonly StoredList<'processes'>[],
): { time: number; uses: ProcessSums[] }[] {
  const summed = lists.map(({ time, list }) => ({ time, uses: sumProcesses(list) }));
  const maxima = new Map<string, { cpuPercent: number; memory: number }>();
  for (const { name, cpuPercent, memory } of summed.flatMap(({ uses }) => uses)) {
    const max = maxima.get(name) ?? {
      cpuPercent: Number.NEGATIVE_INFINITY,
      memory: Number.NEGATIVE_INFINITY,
    };
    max.cpuPercent = Math.max(max.cpuPercent, cpuPercent ?? Number.NEGATIVE_INFINITY);
    max.memory = Math.max(max.memory, memory ?? Number.NEGATIVE_INFINITY);
    maxima.set(name, max);
  }
  const greatest = (field: 'cpuPercent' | 'memory') =>
    [...maxima]
      .sort(([a, ofA], [b, ofB]) => descending(ofA[field], ofB[field]) || (a < b ? -1 : 1))
      .slice(0, MAX_NAMES)
      .map(([name]) => name);
  const chosen = new Set([...greatest('cpuPercent'), ...greatest('memory')]);
  return summed.map(({ time, uses }) => ({
    time,
    uses: uses.filter(({ name }) => chosen.has(name)).sort(byName),
  }));
}

function useOf({ name, count, cpuPercent, memory, processes }: ProcessSums): UseFacts {
  const busiest = processes.toSorted(
    (a, b) =>
      descending(a.cpu_percent ?? Number.NEGATIVE_INFINITY, b.cpu_percent ?? Number.NEGATIVE_INFINITY) ||
      a.pid - b.pid,
  );
  return { name, count, pids: busiest.slice(0, MAX_PIDS).map(({ pid }) => pid), cpuPercent, memory };
}

const useOfContainer = (container: Container): ContainerUse => ({
  name: container.name,
  count: 1,
  pids: [],
  image: container.image ?? null,
  status: container.status ?? null,
  ...containerUse(container),
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Compares numbers, of which both may be -Infinity. */
const descending = (a: number, b: number): number => (a === b ? 0 : b - a);
