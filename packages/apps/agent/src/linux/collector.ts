import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import type { ContainerSource } from '../docker/docker.ts';
import { type Collector, containerMetrics, type Reading, rounded } from '../reading.ts';
import { measuredMounts } from './mounts.ts';
import {
  borderInterfaces,
  type CpuTimes,
  cpuPercent,
  type InterfaceFacts,
  memoryMetrics,
  parseCpuTimes,
  parseDisks,
  parseInterfaces,
  parseLoad,
  parseMemory,
  parseUptime,
  type Transfer,
  transferRates,
  usedPercent,
  wholeDisks,
} from './proc-host.ts';
import {
  countByName,
  fullName,
  type KernelUnits,
  mayBeTruncated,
  type ProcessTimes,
  parseAuxiliaryVector,
  parseProcess,
  topProcesses,
} from './proc-process.ts';

export interface LinuxOptions {
  /** The mount points of /proc and /sys, which differ in tests and in a container that reports its host. */
  procRoot: string;
  sysRoot: string;
  /** The current time, milliseconds since the epoch. */
  clock(): number;
  /** A clock that never goes back, ms. */
  monotonic(): number;
  containers: ContainerSource;
}

const MAX_NAMES = 20;

interface Counters {
  at: number;
  cpu: CpuTimes | undefined;
  network: Map<string, Transfer>;
  disks: Map<string, Transfer>;
  processes: Map<number, ProcessTimes>;
}

/** Reads /proc directly. The metrics of a missing file are left out. */
export function createLinuxCollector(options: LinuxOptions): Collector {
  const units = readUnits(options.procRoot);
  let before: Counters | undefined;

  return {
    async read() {
      const [found, disk] = await Promise.all([options.containers(), diskMetrics(options.procRoot)]);
      const now = readCounters(options);
      const metrics = {
        ...rateMetrics(before, now, options.sysRoot),
        ...gauges(options.procRoot),
        ...disk,
        ...containerMetrics(found),
      };
      const reading: Reading = {
        time: options.clock(),
        metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, rounded(value)])),
        processes: before === undefined ? [] : busiest(before, now, units),
        processCounts: now.processes.size > 0 ? countByName(now.processes.values()) : undefined,
        containers: found?.containers,
      };
      before = now;
      return reading;
    },
  };
}

function busiest(before: Counters, now: Counters, units: KernelUnits): ProcessInfo[] {
  const seconds = (now.at - before.at) / 1000;
  return topProcesses(before.processes, [...now.processes.values()], seconds, units, MAX_NAMES);
}

// Reads synchronously, because the kernel creates the files of /proc in memory: that takes microseconds, and less than an
// asynchronous read.
function text(...segments: string[]): string {
  try {
    return readFileSync(join(...segments), 'utf8');
  } catch {
    return '';
  }
}

function names(...segments: string[]): string[] {
  try {
    return readdirSync(join(...segments));
  } catch {
    return [];
  }
}

function readUnits(procRoot: string): KernelUnits {
  try {
    return parseAuxiliaryVector(readFileSync(join(procRoot, 'self/auxv')));
  } catch {
    return parseAuxiliaryVector(new Uint8Array());
  }
}

function readCounters({ procRoot, monotonic }: LinuxOptions): Counters {
  const processes = new Map<number, ProcessTimes>();
  for (const name of names(procRoot)) {
    if (!/^\d+$/.test(name)) continue;
    const process = parseProcess(text(procRoot, name, 'stat'));
    if (process === undefined) continue;
    // The full name is needed first, because processes are summed by name.
    if (mayBeTruncated(process.name)) process.name = fullName(process.name, text(procRoot, name, 'cmdline'));
    processes.set(process.pid, process);
  }
  return {
    at: monotonic(),
    cpu: parseCpuTimes(text(procRoot, 'stat')),
    network: parseInterfaces(text(procRoot, 'net/dev')),
    disks: parseDisks(text(procRoot, 'diskstats')),
    processes,
  };
}

function rateMetrics(before: Counters | undefined, now: Counters, sysRoot: string): Record<string, number> {
  if (before === undefined) return {};
  const metrics: Record<string, number> = {};
  const seconds = (now.at - before.at) / 1000;
  const cpu = before.cpu && now.cpu && cpuPercent(before.cpu, now.cpu);
  if (cpu !== undefined) metrics.cpu_percent = cpu;
  if (now.network.size > 0) {
    const border = borderInterfaces(now.network.keys(), createInterfaceFacts(sysRoot));
    const network = transferRates(before.network, now.network, border, seconds);
    metrics.network_receive_bytes_per_second = network.received;
    metrics.network_transmit_bytes_per_second = network.sent;
  }
  if (now.disks.size > 0) {
    const blockDevices = new Set(names(sysRoot, 'block'));
    const whole = wholeDisks(
      now.disks,
      (name) => blockDevices.has(name),
      (name) => names(sysRoot, 'block', name, 'slaves').length > 0,
    );
    const disks = transferRates(before.disks, now.disks, whole, seconds);
    metrics.disk_read_bytes_per_second = disks.received;
    metrics.disk_write_bytes_per_second = disks.sent;
  }
  return metrics;
}

function gauges(procRoot: string): Record<string, number> {
  const metrics = parseLoad(text(procRoot, 'loadavg'));
  const memory = parseMemory(text(procRoot, 'meminfo'));
  if (memory.size > 0) Object.assign(metrics, memoryMetrics(memory));
  const uptime = parseUptime(text(procRoot, 'uptime'));
  if (uptime !== undefined) metrics.uptime_seconds = uptime;
  return metrics;
}

/** How long a file system may take to answer, ms, before it is left out of a reading. */
const STATFS_TIMEOUT_MS = 1_000;
/** Mount points whose `statfs` has not returned; each blocks a thread, so it is not called again meanwhile. */
const hanging = new Set<string>();

async function usedOf(point: string): Promise<number | undefined> {
  if (hanging.has(point)) return undefined;
  hanging.add(point);
  const size = statfs(point)
    .catch(() => ({ blocks: 0, bfree: 0, bavail: 0 }))
    .finally(() => hanging.delete(point));
  const late = new AbortController();
  const timeout = sleep(STATFS_TIMEOUT_MS, null, { signal: late.signal }).catch(() => null);
  const found = await Promise.race([size, timeout]);
  late.abort();
  return found === null ? undefined : usedPercent(found);
}

/**
 * The metrics disk_percent of `/` (or of /var if `/` is a read-only image) and disk_fullest_percent, the max over all local,
 * writable mounts.
 */
async function diskMetrics(procRoot: string): Promise<Record<string, number>> {
  const { writable, system } = measuredMounts(text(procRoot, 'self/mounts'));
  const points = [...new Set(system === null ? writable : [system, ...writable])];
  const used = await Promise.all(points.map(usedOf));
  const known = used.filter((percent) => percent !== undefined);
  const metrics: Record<string, number> = {};
  if (system !== null && used[0] !== undefined) metrics.disk_percent = used[0];
  if (known.length > 0) metrics.disk_fullest_percent = Math.max(...known);
  return metrics;
}

/** Creates a function that reads the properties of an interface from /sys, for use within one reading. */
function createInterfaceFacts(sysRoot: string): (name: string) => InterfaceFacts {
  const folder = (name: string) => join(sysRoot, 'class/net', name);
  const byIndex = new Map(
    names(sysRoot, 'class/net').map((name) => [text(folder(name), 'ifindex').trim(), name] as const),
  );
  return (name) => {
    const index = text(folder(name), 'ifindex').trim();
    const link = text(folder(name), 'iflink').trim();
    const virtual = isVirtual(sysRoot, name);
    return {
      isVirtual: virtual,
      master: masterOf(sysRoot, name),
      lower: link !== '' && link !== index ? (byIndex.get(link) ?? null) : null,
      isRepresentor: /^(c\d+)?pf\d+(vf|sf)\d+$/.test(text(folder(name), 'phys_port_name').trim()),
      isStacked:
        virtual &&
        (names(folder(name), 'bridge').length > 0 ||
          names(folder(name), 'bonding').length > 0 ||
          text(folder(name), 'tun_flags') !== '' ||
          /^DEVTYPE=(vlan|bridge|bond|vxlan|wireguard|gretap)$/m.test(text(folder(name), 'uevent'))),
    };
  };
}

/** The bridge or bond that an interface is a port of; null where it is not a port. */
function masterOf(sysRoot: string, name: string): string | null {
  try {
    return basename(readlinkSync(join(sysRoot, 'class/net', name, 'master')));
  } catch {
    return null;
  }
}

function isVirtual(sysRoot: string, name: string): boolean {
  try {
    return realpathSync(join(sysRoot, 'class/net', name)).includes('/devices/virtual/');
  } catch {
    return true;
  }
}
