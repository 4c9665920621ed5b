import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostCollector } from '../collectors/collector.ts';
import { createDiskCollector } from './collectors/disks.ts';
import { createFileSystemCollector } from './collectors/filesystems.ts';
import { createInterfaceCollector } from './collectors/interfaces.ts';
import { createLoadCollector } from './collectors/load.ts';
import { createMemoryCollector } from './collectors/memory.ts';
import { createProcessCollector } from './collectors/processes.ts';
import { createProcessorCollector } from './collectors/processor.ts';
import { type KernelUnits, parseAuxiliaryVector } from './proc-process.ts';

export interface LinuxOptions {
  /** The mount points of /proc and /sys, which differ in tests and in a container that reports its host. */
  procRoot: string;
  sysRoot: string;
}

/** The collectors of a Linux host. They read /proc and /sys directly; what a missing file would have is left out. */
export function linuxCollectors(options: LinuxOptions): HostCollector[] {
  const { procRoot } = options;
  const units = readUnits(procRoot);
  return [
    createProcessorCollector(options),
    createLoadCollector(options),
    createMemoryCollector({ procRoot, pageBytes: units.pageBytes }),
    createFileSystemCollector(options),
    createDiskCollector(options),
    createInterfaceCollector(options),
    createProcessCollector({ procRoot, units }),
  ];
}

function readUnits(procRoot: string): KernelUnits {
  try {
    return parseAuxiliaryVector(readFileSync(join(procRoot, 'self/auxv')));
  } catch {
    return parseAuxiliaryVector(new Uint8Array());
  }
}
