import type { HostCollector } from '../../collectors/collector.ts';
import { readText } from '../files.ts';
import { parseLoad, parseUptime } from '../proc-host.ts';

/** Reads the load averages, the number of threads and the time since boot. */
export function createLoadCollector({ procRoot }: { procRoot: string }): HostCollector {
  return {
    name: 'load',
    read() {
      const loadavg = readText(procRoot, 'loadavg');
      const metrics = parseLoad(loadavg);
      const threads = / \d+\/(\d+) /.exec(loadavg)?.[1];
      if (threads !== undefined) metrics.threads = Number(threads);
      const uptime = parseUptime(readText(procRoot, 'uptime'));
      if (uptime !== undefined) metrics.uptime_seconds = uptime;
      return { metrics };
    },
  };
}
