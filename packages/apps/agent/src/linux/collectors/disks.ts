import { join } from 'node:path';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import { CounterRates, countersByDevice } from '../../collectors/counter-rates.ts';
import { readText, tryNames, tryNumber, tryText } from '../files.ts';
import { parseDisks, type Transfer, transferRates, wholeDisks } from '../proc-host.ts';

const SECTOR_BYTES = 512;
const FIELDS = ['received', 'sent', 'reads', 'writes', 'readMs', 'writeMs', 'busyMs', 'queueMs'] as const;
type Rates = Record<(typeof FIELDS)[number], number>;

/** A disk as people know it: a device, or several paths to one disk. */
interface Disk {
  name: string;
  /** The devices whose counters add up to those of the disk. */
  counted: string[];
  /** The paths to the disk; empty for a disk with one. */
  paths: string[];
  labels: Record<string, string>;
  sizeBytes: number | undefined;
}

/** Reads the whole disks as parts, each once however many paths lead to it, and as sums over all of them. */
export function createDiskCollector(options: { procRoot: string; sysRoot: string }): HostCollector {
  const { procRoot, sysRoot } = options;
  const counters = new CounterRates();
  let before: { at: number; disks: ReadonlyMap<string, Transfer> } | undefined;
  return {
    name: 'disks',
    read(at) {
      const disks = parseDisks(readText(procRoot, 'diskstats'));
      const blocks = new Set(tryNames(sysRoot, 'block'));
      const whole = wholeDisks(
        disks,
        (name) => blocks.has(name),
        (name) => tryNames(sysRoot, 'block', name, 'slaves').length > 0,
      );
      const metrics: Record<string, number> = {};
      if (before !== undefined && disks.size > 0) {
        const sums = transferRates(before.disks, disks, whole, (at - before.at) / 1_000);
        metrics.disk_read_bytes_per_second = sums.received;
        metrics.disk_write_bytes_per_second = sums.sent;
      }
      before = { at, disks };
      const rates = counters.update(at, countersByDevice(disks, FIELDS));
      const found = findDisks(sysRoot, whole, [...blocks]);
      return { metrics, parts: found.map((disk) => toPart(disk, rates, sysRoot)).toSorted(busiestFirst) };
    },
  };
}

/** Groups devices by the disk that they lead to: those below a multipath device, and those with one identifier and size. */
function findDisks(sysRoot: string, whole: readonly string[], blocks: readonly string[]): Disk[] {
  const found: Disk[] = [];
  const covered = new Set<string>();
  for (const device of blocks.filter((name) => name.startsWith('dm-'))) {
    const folder = join(sysRoot, 'block', device);
    if (!tryText(folder, 'dm/uuid').startsWith('mpath-')) continue;
    const paths = tryNames(folder, 'slaves').toSorted();
    for (const path of paths) covered.add(path);
    const name = tryText(folder, 'dm/name').trim() || device;
    found.push(describe(sysRoot, name, device, [device], paths));
  }
  const single = whole.filter((name) => !covered.has(name));
  for (const devices of Map.groupBy(single, (name) => identityOf(sysRoot, name)).values()) {
    const [first, ...others] = devices.toSorted() as [string, ...string[]];
    const disk = describe(sysRoot, first, first, devices, others.length > 0 ? devices : []);
    // A drive without a medium has no size.
    if (disk.sizeBytes !== 0) found.push(disk);
  }
  return found;
}

/** What two paths to one disk have in common. Two disks may claim one identifier by mistake, but rarely also one size. */
function identityOf(sysRoot: string, name: string): string {
  const folder = join(sysRoot, 'block', name);
  const identifier = tryText(folder, 'device/wwid').trim() || tryText(folder, 'wwid').trim();
  return identifier === '' ? name : `${identifier} ${tryText(folder, 'size').trim()}`;
}

function describe(sysRoot: string, name: string, device: string, counted: string[], paths: string[]): Disk {
  const folder = join(sysRoot, 'block', device);
  const model = tryText(sysRoot, 'block', paths[0] ?? device, 'device/model').trim();
  const rotational = tryText(folder, 'queue/rotational').trim();
  const sectors = tryNumber(folder, 'size');
  const labels: Record<string, string> = { model };
  if (rotational !== '') labels.type = rotational === '1' ? 'hdd' : 'ssd';
  return {
    name,
    counted,
    paths,
    labels,
    sizeBytes: sectors === undefined ? undefined : sectors * SECTOR_BYTES,
  };
}

function toPart(disk: Disk, rates: ReadonlyMap<string, number>, sysRoot: string): FoundPart {
  const metrics: Record<string, number> = {};
  if (disk.sizeBytes !== undefined) metrics.size_bytes = disk.sizeBytes;
  const known = disk.counted.filter((device) => rates.has(`${device} reads`));
  if (known.length > 0) {
    const valuesOf = (field: keyof Rates) => known.map((device) => rates.get(`${device} ${field}`) ?? 0);
    const sum = (field: keyof Rates) => valuesOf(field).reduce((all, value) => all + value, 0);
    const [reads, writes] = [sum('reads'), sum('writes')];
    metrics.read_bytes_per_second = sum('received');
    metrics.write_bytes_per_second = sum('sent');
    metrics.read_operations_per_second = reads;
    metrics.write_operations_per_second = writes;
    metrics.read_await_ms = reads > 0 ? sum('readMs') / reads : 0;
    metrics.write_await_ms = writes > 0 ? sum('writeMs') / writes : 0;
    metrics.await_ms = reads + writes > 0 ? (sum('readMs') + sum('writeMs')) / (reads + writes) : 0;
    // Milliseconds per second are tenths of a percent. Paths are busy side by side, so their max counts.
    metrics.utilization_percent = Math.min(100, Math.max(...valuesOf('busyMs')) / 10);
    metrics.queue_length = sum('queueMs') / 1_000;
  }
  if (disk.paths.length > 0) {
    metrics.paths = disk.paths.length;
    metrics.paths_running = disk.paths.filter((path) => isRunning(sysRoot, path)).length;
  }
  return { kind: 'disk', name: disk.name, labels: disk.labels, metrics };
}

function isRunning(sysRoot: string, path: string): boolean {
  return /^(running|live)$/.test(tryText(sysRoot, 'block', path, 'device/state').trim());
}

function busiestFirst({ metrics: a }: FoundPart, { metrics: b }: FoundPart): number {
  return (
    (b.utilization_percent ?? 0) - (a.utilization_percent ?? 0) || (b.size_bytes ?? 0) - (a.size_bytes ?? 0)
  );
}
