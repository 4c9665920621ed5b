import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** The machine of a run. */
export interface Machine {
  processor: string;
  cores: number;
  memoryMiB: number;
  kernel: string;
  node: string;
  /** The version of PostgreSQL; empty if no PostgreSQL is measured. */
  postgres: string;
  /** The kind of file system with the data; fsync costs nothing on tmpfs. */
  fileSystem: string;
  /** The load average of the last minute before the start. */
  loadBefore: number;
}

const KINDS: Record<number, string> = {
  16914836: 'tmpfs',
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  2035054128: 'overlay',
  801189825: 'zfs',
};

export function describeMachine(folder: string, postgres: string): Machine {
  const kind = statfsSync(folder).type;
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 1_048_576),
    kernel: `${readFileSync('/proc/sys/kernel/ostype', 'utf8').trim()} ${release()}`,
    node: process.versions.node,
    postgres,
    fileSystem: KINDS[kind] ?? `0x${kind.toString(16)}`,
    loadBefore: loadavg()[0] ?? 0,
  };
}

export function machineLine(machine: Machine): string {
  const { processor, cores, memoryMiB, kernel, node, postgres, fileSystem, loadBefore } = machine;
  return `${cores} × ${processor}, ${memoryMiB} MiB, ${kernel}, Node ${node}${postgres && `, PostgreSQL ${postgres}`}, data on ${fileSystem}, load before ${loadBefore.toFixed(2)}`;
}
