import { readFileSync } from 'node:fs';
import { descendants, describeProcess } from '@tidewatch/harness/process-tree';
import { summarise } from './percentile.ts';

/** The memory of one process at one moment in bytes, from /proc/[pid]/status. */
export interface Resident {
  rss: number;
  /** Private memory of the process: its heap and stacks. */
  anon: number;
  /** The shared memory that the process has touched; PostgreSQL's buffers count in full for every process that did. */
  shared: number;
}

/**
 * Memory of one kind of process during a run, bytes. If several processes are of this kind, the largest counts at each
 * moment.
 */
export interface MemoryUse {
  name: string;
  median: number;
  peak: number;
  peakAnon: number;
  peakShared: number;
}

export interface MemoryReport {
  processes: MemoryUse[];
  /** Sum of Pss over a group of processes, where shared pages count once; null where Pss cannot be read. */
  node: Spread | null;
  postgres: Spread | null;
}

export interface Spread {
  median: number;
  peak: number;
}

const LOOK_MS = 1_000;
/** The number of measurements per reading of Pss, for which the kernel has to walk page tables. */
const PSS_EVERY = 10;

export function parseStatus(status: string): Resident | undefined {
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  const rss = of('VmRSS');
  return rss === 0 ? undefined : { rss, anon: of('RssAnon'), shared: of('RssShmem') };
}

/** Watches the memory of every process of a tree once a second, including those that end meanwhile. */
export function watchMemory(root: () => number): { report(): MemoryReport; stop(): void } {
  const seen = new Map<string, Resident[]>();
  const pss: Record<'node' | 'postgres', number[]> = { node: [], postgres: [] };
  let looks = 0;

  function look(): void {
    const largest = new Map<string, Resident>();
    const sums = { node: 0, postgres: 0 };
    for (const { pid } of descendants(root())) {
      const resident = parseStatus(read(`/proc/${pid}/status`));
      if (resident === undefined) continue;
      const name = describeProcess(read(`/proc/${pid}/cmdline`));
      if ((largest.get(name)?.rss ?? 0) < resident.rss) largest.set(name, resident);
      if (looks % PSS_EVERY !== 0) continue;
      const share = Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
      sums[name.startsWith('postgres') ? 'postgres' : 'node'] += share;
    }
    for (const [name, resident] of largest) {
      const list = seen.get(name);
      if (list === undefined) seen.set(name, [resident]);
      else list.push(resident);
    }
    if (looks % PSS_EVERY === 0 && largest.size > 0) {
      pss.node.push(sums.node);
      pss.postgres.push(sums.postgres);
    }
    looks += 1;
  }

  look();
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    report() {
      const processes = [...seen].map(([name, list]): MemoryUse => {
        const { p50, max } = summarise(list.map(({ rss }) => rss));
        return {
          name,
          median: p50,
          peak: max,
          peakAnon: Math.max(...list.map(({ anon }) => anon)),
          peakShared: Math.max(...list.map(({ shared }) => shared)),
        };
      });
      return {
        processes: processes.toSorted((a, b) => b.peak - a.peak),
        node: spread(pss.node),
        postgres: spread(pss.postgres),
      };
    },
    stop: () => clearInterval(timer),
  };
}

function spread(values: readonly number[]): Spread | null {
  const { p50, max } = summarise(values);
  return max === 0 ? null : { median: p50, peak: max };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended, or is not ours to look into
  }
}
