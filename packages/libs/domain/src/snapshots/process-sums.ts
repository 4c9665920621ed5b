import type { ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { summand } from '../rollup/summand.ts';

/** All processes of one name in one payload. */
export interface ProcessSums {
  name: string;
  count: number;
  /** The sum in percent of one core; null if no process has it. */
  cpuPercent: number | null;
  /** The sum in bytes; null if no process has it. */
  memory: number | null;
  processes: ProcessInfo[];
}

/** The processes of a payload by name, in the order in which names first occur. */
export function sumProcesses(processes: readonly ProcessInfo[]): ProcessSums[] {
  const byName = new Map<string, ProcessSums>();
  for (const process of processes) {
    let sums = byName.get(process.name);
    if (sums === undefined) {
      sums = { name: process.name, count: 0, cpuPercent: null, memory: null, processes: [] };
      byName.set(process.name, sums);
    }
    sums.count += 1;
    sums.cpuPercent = plus(sums.cpuPercent, process.cpu_percent);
    sums.memory = plus(sums.memory, process.memory_rss);
    sums.processes.push(process);
  }
  return [...byName.values()];
}

const plus = (sum: number | null, value: number | undefined): number | null =>
  value === undefined ? sum : (sum ?? 0) + summand(value);
