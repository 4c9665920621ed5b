import type { HostCollector } from '../../collectors/collector.ts';
import { tryNames, tryText } from '../files.ts';
import {
  countByName,
  fullName,
  type KernelUnits,
  mayBeTruncated,
  type ProcessTimes,
  parseProcess,
  topProcesses,
} from '../proc-process.ts';

const MAX_NAMES = 20;

/** Reads every process: lists those of the names with most use, and counts those of every name. */
export function createProcessCollector(options: { procRoot: string; units: KernelUnits }): HostCollector {
  const { procRoot, units } = options;
  let before: { at: number; processes: Map<number, ProcessTimes> } | undefined;
  return {
    name: 'processes',
    read(at) {
      const processes = readProcesses(procRoot);
      const seconds = before === undefined ? 0 : (at - before.at) / 1_000;
      const listed =
        before === undefined
          ? []
          : topProcesses(before.processes, [...processes.values()], seconds, units, MAX_NAMES);
      before = { at, processes };
      if (processes.size === 0) return { processes: listed };
      return { processes: listed, processCounts: countByName(processes.values()) };
    },
  };
}

function readProcesses(procRoot: string): Map<number, ProcessTimes> {
  const processes = new Map<number, ProcessTimes>();
  for (const name of tryNames(procRoot)) {
    if (!/^\d+$/.test(name)) continue;
    const process = parseProcess(tryText(procRoot, name, 'stat'));
    if (process === undefined) continue;
    // The full name is needed first, because processes are summed by name.
    if (mayBeTruncated(process.name))
      process.name = fullName(process.name, tryText(procRoot, name, 'cmdline'));
    processes.set(process.pid, process);
  }
  return processes;
}
