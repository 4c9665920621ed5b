import si from 'systeminformation';
import type { HostCollector } from './collectors/collector.ts';
import { topOf } from './linux/proc-process.ts';
import { borderOf, diskMetrics } from './portable-rules.ts';
import { cleanText } from './reading.ts';

const MAX_NAMES = 20;

/**
 * A collector for macOS and Windows that uses systeminformation; disk_percent is of `rootMount`, a folder or drive. Metrics
 * that the system does not provide are left out.
 */
export function createPortableCollector(rootMount: string): HostCollector {
  let first = true;
  return {
    name: 'host',
    async read() {
      const [load, memory, disks, network, io, processes] = await Promise.all([
        si.currentLoad(),
        si.mem(),
        si.fsSize(),
        si.networkStats('*'),
        si.fsStats().catch(() => null),
        si.processes(),
      ]);
      const metrics: Record<string, number | null | undefined> = {
        memory_percent: memory.total > 0 ? (1 - memory.available / memory.total) * 100 : undefined,
        swap_percent: memory.swaptotal > 0 ? (memory.swapused / memory.swaptotal) * 100 : 0,
        uptime_seconds: si.time().uptime,
        ...diskMetrics(disks, rootMount),
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
        metrics: known(metrics),
        processes: topOf(processes.list.map(toProcess), MAX_NAMES),
      };
    },
  };
}

function known(metrics: Record<string, number | null | undefined>): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const [name, value] of Object.entries(metrics)) if (typeof value === 'number') kept[name] = value;
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
