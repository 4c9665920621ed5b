/** Parsers of host-wide files of /proc, after proc(5). Each takes the file's text; none reads a file. */

export interface CpuTimes {
  /** Clock ticks in which a processor worked, summed over all processors. */
  busy: number;
  total: number;
}

/** The first line of /proc/stat. Waiting for a disk counts as idle, as in top; guests are part of user already. */
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
  return { busy, total: busy + idle + waiting };
}

/** Percent of all processors between two readings; undefined where no tick passed or the counters went back. */
export function cpuPercent(before: CpuTimes, after: CpuTimes): number | undefined {
  const total = after.total - before.total;
  const busy = after.busy - before.busy;
  if (total <= 0 || busy < 0) return undefined;
  return Math.min(100, (busy / total) * 100);
}

/** /proc/meminfo in bytes by name. */
export function parseMemory(meminfo: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const match of meminfo.matchAll(/^(\S+):\s+(\d+)(?: (kB))?$/gm)) {
    sizes.set(match[1] as string, Number(match[2]) * (match[3] === undefined ? 1 : 1024));
  }
  return sizes;
}

/** memory_percent from MemAvailable (kernels before 3.14: free, buffers and cache), swap_percent where there is swap. */
export function memoryMetrics(sizes: ReadonlyMap<string, number>): Record<string, number> {
  const metrics: Record<string, number> = {};
  const total = sizes.get('MemTotal') ?? 0;
  const available =
    sizes.get('MemAvailable') ??
    (sizes.get('MemFree') ?? 0) + (sizes.get('Buffers') ?? 0) + (sizes.get('Cached') ?? 0);
  if (total > 0) metrics.memory_percent = Math.max(0, (1 - available / total) * 100);
  const swap = sizes.get('SwapTotal') ?? 0;
  metrics.swap_percent = swap > 0 ? Math.max(0, (1 - (sizes.get('SwapFree') ?? 0) / swap) * 100) : 0;
  return metrics;
}

export function parseLoad(loadavg: string): Record<string, number> {
  const [one, five, fifteen] = loadavg.split(' ').map(Number);
  if (one === undefined || five === undefined || fifteen === undefined) return {};
  return { load_1: one, load_5: five, load_15: fifteen };
}

/** Seconds since boot. */
export function parseUptime(uptime: string): number | undefined {
  const seconds = Number.parseFloat(uptime);
  return Number.isFinite(seconds) ? seconds : undefined;
}

export interface Transfer {
  /** Bytes since boot. */
  received: number;
  sent: number;
}

/** /proc/net/dev by interface. */
export function parseInterfaces(netDev: string): Map<string, Transfer> {
  const interfaces = new Map<string, Transfer>();
  for (const match of netDev.matchAll(/^\s*([^\s|]+):\s*(.+)$/gm)) {
    const fields = (match[2] as string).trim().split(/\s+/).map(Number);
    if (fields.length >= 9)
      interfaces.set(match[1] as string, { received: fields[0] as number, sent: fields[8] as number });
  }
  return interfaces;
}

/**
 * The interfaces whose traffic crosses the host's border: those of hardware, since bridges, bonds, tunnels and the
 * ends of containers carry the same bytes again. A port whose master is hardware too is left out: the master counts its
 * bytes (as with accelerated networking). Inside a container nothing is hardware: then all but loopback.
 */
export function borderInterfaces(
  names: Iterable<string>,
  isVirtual: (name: string) => boolean,
  masterOf: (name: string) => string | null = () => null,
): string[] {
  const candidates = [...names].filter((name) => name !== 'lo');
  const hardware = new Set(candidates.filter((name) => !isVirtual(name)));
  if (hardware.size === 0) return candidates;
  return [...hardware].filter((name) => !hardware.has(masterOf(name) ?? ''));
}

const SECTOR_BYTES = 512; // in /proc/diskstats always, whatever the device's own sectors are

/** /proc/diskstats by device: `received` is what was read, `sent` what was written. */
export function parseDisks(diskstats: string): Map<string, Transfer> {
  const disks = new Map<string, Transfer>();
  for (const line of diskstats.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (fields.length < 10) continue;
    disks.set(fields[2] as string, {
      received: Number(fields[5]) * SECTOR_BYTES,
      sent: Number(fields[9]) * SECTOR_BYTES,
    });
  }
  return disks;
}

/**
 * Whole disks: not their partitions, and nothing that is stored on another device (loop, RAM, LVM, multipath, software
 * RAID, caches, replicas) or is one path of several to a disk that is listed itself (nvme0c1n1).
 */
export function isWholeDisk(name: string, blockDevices: ReadonlySet<string>): boolean {
  return (
    blockDevices.has(name) &&
    !/^nvme\d+c\d+n\d+/.test(name) &&
    !/^(loop|ram|zram|dm-|md|bcache|drbd|zd|sr|fd|nbd)\d*/.test(name)
  );
}

/** Bytes a second summed over `names`; an entry that is new or whose counter went back counts from the next reading. */
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
  /** Blocks in all, free, and free for others than root: as statfs(2) names them. */
  blocks: number;
  bfree: number;
  bavail: number;
}

/** Percent used as df prints it: of what others than root may use. */
export function usedPercent({ blocks, bfree, bavail }: FileSystemSize): number | undefined {
  const used = blocks - bfree;
  return used + bavail > 0 ? (used / (used + bavail)) * 100 : undefined;
}
