import si from 'systeminformation';
import type { ContainerSource } from './docker/docker.ts';
import { topOf } from './linux/proc-process.ts';
import { borderOf, diskMetrics } from './portable-rules.ts';
import { type Collector, cleanText, containerMetrics, rounded } from './reading.ts';

export interface PortableOptions {
  /** The current time, milliseconds since the epoch. */
  clock(): number;
  /** The folder or drive measured by disk_percent: `/`, or `C:` on Windows. */
  rootMount: string;
  containers: ContainerSource;
}

const MAX_NAMES = 20;

/** A collector for macOS and Windows that uses systeminformation. Metrics that the system does not provide are left out. */
export function createPortableCollector({ clock, rootMount, containers }: PortableOptions): Collector {
  let first = true;
  return {
    async read() {
      const [load, memory, disks, network, io, processes, found] = await Promise.all([
        si.currentLoad(),
        si.mem(),
        si.fsSize(),
        si.networkStats('*'),
        si.fsStats().catch(() => null),
        si.processes(),
        containers(),
      ]);
      const metrics: Record<string, number | null | undefined> = {
        memory_percent: memory.total > 0 ? (1 - memory.available / memory.total) * 100 : undefined,
        swap_percent: memory.swaptotal > 0 ? (memory.swapused / memory.swaptotal) * 100 : 0,
        uptime_seconds: si.time().uptime,
        ...diskMetrics(disks, rootMount),
        ...containerMetrics(found),
      };
      if (process.platform !== 'win32') metrics.load_1 = load.avgLoad; // Windows has no load average
      if (!first) {
        const border = borderOf(network);
        metrics.cpu_percent = load.currentLoad;
        metrics.network_receive_bytes_per_second = border.reduce(
          (sum, entry) => sum + (entry.rx_sec ?? 0),
          0,
        );
        metrics.network_transmit_bytes_per_second = border.reduce(
          (sum, entry) => sum + (entry.tx_sec ?? 0),
          0,
        );
        metrics.disk_read_bytes_per_second = io?.rx_sec;
        metrics.disk_write_bytes_per_second = io?.wx_sec;
      }
      first = false;
      return {
        time: clock(),
        metrics: finite(metrics),
        processes: topOf(processes.list.map(toProcess), MAX_NAMES),
        containers: found?.containers,
      };
    },
  };
}

function finite(metrics: Record<string, number | null | undefined>): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const [name, value] of Object.entries(metrics)) {
    if (typeof value === 'number' && Number.isFinite(value)) kept[name] = rounded(value);
  }
  return kept;
}

function toProcess(process: si.Systeminformation.ProcessesProcessData) {
  return {
    name: cleanText(process.name, 255) || `pid ${process.pid}`,
    pid: process.pid,
    cpu_percent: Number.isFinite(process.cpu) ? process.cpu : 0,
    memory_rss: process.memRss * 1024,
  };
}
