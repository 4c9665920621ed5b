import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostCollector } from '../collectors/collector.ts';
import type { RunCommand } from '../collectors/run-command.ts';
import { createClockCollector } from './collectors/clock.ts';
import { createControlGroupCollector } from './collectors/control-group.ts';
import { createDiskCollector } from './collectors/disks.ts';
import { createFileSystemCollector } from './collectors/filesystems.ts';
import { createGpuCollector } from './collectors/gpus.ts';
import { createInterfaceCollector } from './collectors/interfaces.ts';
import { createKernelLimitCollector } from './collectors/kernel-limits.ts';
import { createLoadCollector } from './collectors/load.ts';
import { createMemoryCollector } from './collectors/memory.ts';
import { createPressureCollector } from './collectors/pressure.ts';
import { createProcessCollector } from './collectors/processes.ts';
import { createProcessorCollector } from './collectors/processor.ts';
import { createRaidCollector } from './collectors/raids.ts';
import { createRebootCollector } from './collectors/reboot.ts';
import { createSensorCollector } from './collectors/sensors.ts';
import { createSmartCollector } from './collectors/smart.ts';
import { createSocketCollector } from './collectors/sockets.ts';
import { createUnitCollector } from './collectors/units.ts';
import type { FailedUnits } from './failed-units.ts';
import { type KernelUnits, parseAuxiliaryVector } from './proc-process.ts';

export interface LinuxOptions {
  /** The mount points of /proc and /sys, which differ in tests and in a container that reports its host. */
  procRoot: string;
  sysRoot: string;
  /** The root folder, for what stands outside of both. */
  root: string;
  /** Where the mounts of `procRoot` are found; another folder than `/` in a container that reports its host. */
  mountRoot: string;
  run: RunCommand;
  /** A clock that never goes back, ms. */
  monotonic(): number;
  /** Units of systemd that are reported whatever their state. */
  units: readonly string[];
  /** Where the names of failed units are kept while the agent does not run; they are forgotten without it. */
  failedUnits?: FailedUnits | undefined;
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
    createPressureCollector(options),
    createKernelLimitCollector(options),
    createSocketCollector(options),
    createControlGroupCollector(options),
    createRebootCollector(options),
    createClockCollector(options),
    createSensorCollector(options),
    createGpuCollector(options),
    createRaidCollector(options),
    createSmartCollector(options),
    createUnitCollector(options),
  ];
}

function readUnits(procRoot: string): KernelUnits {
  try {
    return parseAuxiliaryVector(readFileSync(join(procRoot, 'self/auxv')));
  } catch {
    return parseAuxiliaryVector(new Uint8Array());
  }
}
