import {
  busyPercent,
  fileSystemPercent,
  memoryPercent,
  swapPercent,
} from '@tidewatch/domain/host-metrics/host-formulas';

/** Parsers of the host-wide files of /proc, after proc(5). Each takes the text of a file; none reads a file. */

export interface CpuTimes {
  /** The number of clock ticks in which processors were busy, over all processors. */
  busy: number;
  total: number;
  /** In processes, also those of low priority. */
  user: number;
  /** In the kernel, also for interrupts. */
  system: number;
  /** Idle while an answer of a disk was awaited. */
  waiting: number;
  /** Taken by the hypervisor for other guests. */
  stolen: number;
}

/** Parses the first line of /proc/stat. I/O wait counts as idle, as in top; guest time is part of user time. */
export function parseCpuTimes(stat: string): CpuTimes | undefined {
  const fields = /^cpu\s+([\d ]+)/m.exec(stat)?.[1]?.trim().split(/\s+/).map(Number);
  if (fields === undefined || fields.length < 4) return undefined;
  const [
    user = 0,
    nice = 0,
    system = 0,
    idle = 0,
    waiting = 0,
    interrupts = 0,
    softInterrupts = 0,
    stolen = 0,
  ] = fields;
  const busy = user + nice + system + interrupts + softInterrupts + stolen;
  return {
    busy,
    total: busy + idle + waiting,
    user: user + nice,
    system: system + interrupts + softInterrupts,
    waiting,
    stolen,
  };
}

/** The use of all processors between two readings in percent; undefined if no tick passed or the counters were reset. */
export function cpuPercent(before: CpuTimes, after: CpuTimes): number | undefined {
  const total = after.total - before.total;
  const busy = after.busy - before.busy;
  return busy < 0 ? undefined : busyPercent(total - busy, total);
}

/** cpu_percent and what it consists of, and the share of waiting for disks, which is idle time. */
export function cpuMetrics(before: CpuTimes, after: CpuTimes): Record<string, number> {
  const shares = {
    cpu_percent: cpuPercent(before, after),
    cpu_user_percent: shareOf('user', before, after),
    cpu_system_percent: shareOf('system', before, after),
    cpu_iowait_percent: shareOf('waiting', before, after),
    cpu_steal_percent: shareOf('stolen', before, after),
  };
  return Object.fromEntries(Object.entries(shares).filter(([, share]) => share !== undefined)) as Record<
    string,
    number
  >;
}

function shareOf(field: keyof CpuTimes, before: CpuTimes, after: CpuTimes): number | undefined {
  const total = after.total - before.total;
  const part = after[field] - before[field];
  // The kernel may set the counter of waiting back a little.
  if (total <= 0 || part < 0) return undefined;
  return Math.min(100, (part / total) * 100);
}

/** Parses /proc/meminfo to bytes by name. */
export function parseMemory(meminfo: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const match of meminfo.matchAll(/^(\S+):\s+(\d+)(?: (kB))?$/gm)) {
    sizes.set(match[1] as string, Number(match[2]) * (match[3] === undefined ? 1 : 1024));
  }
  return sizes;
}

/** The sizes of /proc/meminfo that are metrics as they are. */
const MEMORY_SIZES: Readonly<Record<string, string>> = {
  MemTotal: 'memory_total_bytes',
  Dirty: 'memory_dirty_bytes',
  SwapTotal: 'swap_total_bytes',
};

/**
 * Computes memory_percent from MemAvailable (before kernel 3.14: free, buffers and cache), swap_percent, which is 0 without
 * swap, and the sizes in bytes.
 */
export function memoryMetrics(sizes: ReadonlyMap<string, number>): Record<string, number> {
  const metrics: Record<string, number> = {};
  const size = (field: string) => sizes.get(field) ?? 0;
  const total = size('MemTotal');
  const available = sizes.get('MemAvailable') ?? size('MemFree') + size('Buffers') + size('Cached');
  const percent = memoryPercent(available, total);
  if (percent !== undefined) metrics.memory_percent = percent;
  metrics.memory_available_bytes = available;
  metrics.memory_used_bytes = Math.max(0, total - available);
  metrics.memory_cached_bytes = size('Buffers') + size('Cached') + size('SReclaimable');
  if (size('CommitLimit') > 0)
    metrics.memory_committed_percent = (size('Committed_AS') / size('CommitLimit')) * 100;
  for (const [field, metric] of Object.entries(MEMORY_SIZES)) {
    const known = sizes.get(field);
    if (known !== undefined) metrics[metric] = known;
  }
  const swap = size('SwapTotal');
  metrics.swap_used_bytes = Math.max(0, swap - size('SwapFree'));
  metrics.swap_percent = swapPercent(size('SwapFree'), swap);
  return metrics;
}

export function parseLoad(loadavg: string): Record<string, number> {
  const [one, five, fifteen] = loadavg.split(' ').map(Number);
  if (one === undefined || five === undefined || fifteen === undefined) return {};
  return { load_1: one, load_5: five, load_15: fifteen };
}

/** Parses the seconds since boot from /proc/uptime. */
export function parseUptime(uptime: string): number | undefined {
  const seconds = Number.parseFloat(uptime);
  return Number.isFinite(seconds) ? seconds : undefined;
}

export interface Transfer {
  /** The number of received bytes since boot. */
  received: number;
  sent: number;
}

/** The counters of an interface; errors and drops are of both directions. */
export interface InterfaceCounters extends Transfer {
  packetsReceived: number;
  packetsSent: number;
  errors: number;
  drops: number;
}

/** Parses /proc/net/dev by interface. */
export function parseInterfaces(netDev: string): Map<string, InterfaceCounters> {
  const interfaces = new Map<string, InterfaceCounters>();
  for (const match of netDev.matchAll(/^\s*([^\s|]+):\s*(.+)$/gm)) {
    const fields = (match[2] as string).trim().split(/\s+/).map(Number);
    const [received, packetsReceived, errors, drops, , , , , sent, packetsSent, sendErrors, sendDrops] =
      fields;
    if (received !== undefined && sent !== undefined)
      interfaces.set(match[1] as string, {
        received,
        sent,
        packetsReceived: packetsReceived ?? 0,
        packetsSent: packetsSent ?? 0,
        errors: (errors ?? 0) + (sendErrors ?? 0),
        drops: (drops ?? 0) + (sendDrops ?? 0),
      });
  }
  return interfaces;
}

/** The properties of an interface, from /sys. */
export interface InterfaceFacts {
  isVirtual: boolean;
  /** The bridge or bond that the interface is a port of. */
  master: string | null;
  /** The interface that carries this one's traffic: for ports of a switch chip, and for children of InfiniBand. */
  lower: string | null;
  /** Whether the interface represents the port of a guest on a network card with a built-in switch. */
  isRepresentor: boolean;
  /** Whether the interface is a bridge, bond, VLAN or tunnel. */
  isStacked: boolean;
}

/**
 * The interfaces whose traffic enters or leaves the host, so that each byte counts once: hardware interfaces, except ports
 * of other hardware, interfaces that other hardware carries, and representors of guests. Inside a container no interface is
 * hardware; then all except loopback, stacked interfaces and ports of inner containers.
 */
export function borderInterfaces(
  names: Iterable<string>,
  factsOf: (name: string) => InterfaceFacts,
): string[] {
  const facts = new Map<string, InterfaceFacts>();
  for (const name of names) if (name !== 'lo') facts.set(name, factsOf(name));
  const candidates = [...facts];
  const hardware = new Set(candidates.filter(([, { isVirtual }]) => !isVirtual).map(([name]) => name));
  if (hardware.size > 0)
    return candidates
      .filter(([name, { isRepresentor }]) => hardware.has(name) && !isRepresentor)
      .filter(([, { master, lower }]) => !hardware.has(master ?? '') && !hardware.has(lower ?? ''))
      .map(([name]) => name);
  const single = candidates.filter(([, { isStacked }]) => !isStacked);
  const outer = single.filter(([, { master }]) => !facts.has(master ?? ''));
  const chosen = [outer, single, candidates].find((found) => found.length > 0) ?? [];
  return chosen.map(([name]) => name);
}

const SECTOR_BYTES = 512; // the unit of /proc/diskstats, independent of the sector size of the device

/** The counters of a disk: `received` are bytes read, `sent` bytes written; times are in ms. */
export interface DiskCounters extends Transfer {
  reads: number;
  writes: number;
  /** The sum of the times that each read took. */
  readMs: number;
  writeMs: number;
  /** The time in which the disk had anything to do. */
  busyMs: number;
  /** The sum of the times for which operations were in the queue. */
  queueMs: number;
}

/** Parses /proc/diskstats by device. */
export function parseDisks(diskstats: string): Map<string, DiskCounters> {
  const disks = new Map<string, DiskCounters>();
  for (const line of diskstats.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (fields.length < 10) continue;
    disks.set(fields[2] as string, {
      received: Number(fields[5]) * SECTOR_BYTES,
      sent: Number(fields[9]) * SECTOR_BYTES,
      reads: Number(fields[3]),
      writes: Number(fields[7]),
      readMs: Number(fields[6]),
      writeMs: Number(fields[10] ?? 0),
      busyMs: Number(fields[12] ?? 0),
      queueMs: Number(fields[13] ?? 0),
    });
  }
  return disks;
}

const STACKED =
  /^(loop|ram|zram|dm-|md|bcache|drbd|zd|sr|fd|nbd|emcpower|VxDMP|vxdmp|cas|ublkb)\d*[a-z]*|^(cas\d+-\d+)$/;
const NVME_PATH = /^(nvme\d+)c\d+(n\d+)$/;

/**
 * The whole disks among `devices`, so that each byte counts once: without partitions and devices that store their data on
 * others (loop, RAM, LVM, multipath, software RAID, caches, replicas). A path of an NVMe disk (nvme0c1n1) counts only if
 * the kernel (before Linux 6.4) has no counters of the disk itself.
 */
export function wholeDisks(
  devices: ReadonlyMap<string, Transfer>,
  isBlockDevice: (name: string) => boolean,
  hasLower: (name: string) => boolean,
): string[] {
  const counted = (name: string) => {
    const { received = 0, sent = 0 } = devices.get(name) ?? {};
    return received + sent > 0;
  };
  return [...devices.keys()].filter((name) => {
    if (!isBlockDevice(name)) return false;
    const [, disk, namespace] = NVME_PATH.exec(name) ?? [];
    if (disk !== undefined) return !counted(`${disk}${namespace}`);
    return !STACKED.test(name) && !hasLower(name);
  });
}

/** The bytes per second summed over `names`; an entry that is new or was reset counts from the next reading on. */
export function transferRates(
  before: ReadonlyMap<string, Transfer>,
  after: ReadonlyMap<string, Transfer>,
  names: Iterable<string>,
  seconds: number,
): Transfer {
  const rates: Transfer = { received: 0, sent: 0 };
  if (seconds <= 0) return rates;
  for (const name of names) {
    const old = before.get(name);
    const now = after.get(name);
    if (old === undefined || now === undefined) continue;
    if (now.received >= old.received) rates.received += (now.received - old.received) / seconds;
    if (now.sent >= old.sent) rates.sent += (now.sent - old.sent) / seconds;
  }
  return rates;
}

export interface FileSystemSize {
  /** The numbers of all blocks, free blocks, and blocks free for users other than root, named as in statfs(2). */
  blocks: number;
  bfree: number;
  bavail: number;
  /** The size of a block, bytes. */
  bsize: number;
  /** The numbers of all inodes and of free ones. */
  files: number;
  ffree: number;
}

/** The used percentage as df prints it: of the blocks that users other than root may use. */
export function usedPercent(size: Pick<FileSystemSize, 'blocks' | 'bfree' | 'bavail'>): number | undefined {
  return fileSystemPercent(size.blocks - size.bfree, size.bavail);
}
