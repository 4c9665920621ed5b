import type { Schema } from '@tidewatch/api-client/schema';

type Process = Pick<Schema<'ServiceSnapshot'>['processes']['list'][number], 'name' | 'pid'> & {
  cpu_percent?: number | null;
  memory_rss?: number | null;
};

/** All processes of one name, with what they used an hour before; null where none ran then, or none is kept. */
export interface ProcessRow {
  name: string;
  /** Their process ids, ascending. */
  pids: readonly number[];
  cpuPercent: number | null;
  memoryBytes: number | null;
  formerCpuPercent: number | null;
  formerMemoryBytes: number | null;
}

/** Processes by name, those with the most CPU first. `former` is empty where no earlier snapshot is kept. */
export function processRows(now: readonly Process[], former: readonly Process[]): ProcessRow[] {
  const before = Map.groupBy(former, ({ name }) => name);
  const rows = [...Map.groupBy(now, ({ name }) => name)].map(([name, all]) => {
    const earlier = before.get(name) ?? [];
    return {
      name,
      pids: all.map(({ pid }) => pid).sort((a, b) => a - b),
      cpuPercent: sum(all, ({ cpu_percent }) => cpu_percent),
      memoryBytes: sum(all, ({ memory_rss }) => memory_rss),
      formerCpuPercent: sum(earlier, ({ cpu_percent }) => cpu_percent),
      formerMemoryBytes: sum(earlier, ({ memory_rss }) => memory_rss),
    };
  });
  return rows.sort(
    (a, b) => (b.cpuPercent ?? -1) - (a.cpuPercent ?? -1) || a.name.localeCompare(b.name, 'en'),
  );
}

/** The sum of the values that are known; null without any. */
function sum(
  processes: readonly Process[],
  value: (process: Process) => number | null | undefined,
): number | null {
  const known = processes.map(value).filter((each) => each !== null && each !== undefined);
  return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
}
