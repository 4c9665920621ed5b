import type { HostCollector } from '../../collectors/collector.ts';
import { readText, tryNumber } from '../files.ts';

/** Reads what the kernel has a limit for: open files, threads and tracked connections. */
export function createKernelLimitCollector({ procRoot }: { procRoot: string }): HostCollector {
  return {
    name: 'kernel-limits',
    read() {
      const metrics: Record<string, number> = {};
      const [open, , maxOpen] = readText(procRoot, 'sys/fs/file-nr').trim().split(/\s+/).map(Number);
      if (open !== undefined && maxOpen !== undefined) {
        metrics.file_handles = open;
        setPercent(metrics, 'file_handles_percent', open, maxOpen);
      }
      const threads = / \d+\/(\d+) /.exec(readText(procRoot, 'loadavg'))?.[1];
      const limits = ['pid_max', 'threads-max'].flatMap(
        (name) => tryNumber(procRoot, 'sys/kernel', name) ?? [],
      );
      if (threads !== undefined && limits.length > 0)
        setPercent(metrics, 'threads_percent', Number(threads), Math.min(...limits));
      const tracked = tryNumber(procRoot, 'sys/net/netfilter/nf_conntrack_count');
      if (tracked !== undefined) {
        metrics.conntrack_entries = tracked;
        const max = tryNumber(procRoot, 'sys/net/netfilter/nf_conntrack_max');
        setPercent(metrics, 'conntrack_percent', tracked, max ?? 0);
      }
      return { metrics };
    },
  };
}

/** Kernels without a limit say 0, or the largest number that they have. */
function setPercent(metrics: Record<string, number>, name: string, used: number, max: number): void {
  if (max > 0 && max <= Number.MAX_SAFE_INTEGER) metrics[name] = (used / max) * 100;
}
