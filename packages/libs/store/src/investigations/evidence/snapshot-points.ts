import type { EvidenceDraft } from '@tidewatch/domain/investigation/finding';
import { containerUse } from '@tidewatch/domain/snapshots/container-use';
import type { SnapshotLists } from '@tidewatch/domain/snapshots/host-snapshot';
import { sumProcesses } from '@tidewatch/domain/snapshots/process-sums';

/** The processes of a snapshot by name and its containers, at most `max` of each, those with the most processor usage first. */
export function snapshotPoints(
  { processes, containers }: SnapshotLists,
  max: number,
): EvidenceDraft['points'] {
  const ofProcesses = sumProcesses(processes).map(({ name, count, cpuPercent, memory }) => ({
    kind: 'process',
    name,
    count,
    cpu_percent: cpuPercent,
    memory_bytes: memory,
  }));
  const ofContainers = containers.map((container) => {
    const { cpuPercent, memory } = containerUse(container);
    return {
      kind: 'container',
      name: container.name,
      count: 1,
      cpu_percent: cpuPercent,
      memory_bytes: memory,
    };
  });
  return [...ofProcesses.sort(busiestFirst).slice(0, max), ...ofContainers.sort(busiestFirst).slice(0, max)];
}

interface Use {
  name: string;
  cpu_percent: number | null;
}

function busiestFirst(a: Use, b: Use): number {
  const [first, second] = [
    a.cpu_percent ?? Number.NEGATIVE_INFINITY,
    b.cpu_percent ?? Number.NEGATIVE_INFINITY,
  ];
  return first === second ? (a.name < b.name ? -1 : 1) : second - first;
}
