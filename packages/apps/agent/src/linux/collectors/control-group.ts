import { join } from 'node:path';
import type { HostCollector } from '../../collectors/collector.ts';
import { CounterRates } from '../../collectors/counter-rates.ts';
import { tryNumber, tryText } from '../files.ts';

/** Version 1 has numbers near 2^63 in place of "max". */
const UNLIMITED = 2 ** 60;
const MICROSECONDS = 1_000_000;

/** What a control group may use and does use; undefined is unlimited or unknown. */
interface Group {
  memoryLimit: number | undefined;
  memoryUsage: number | undefined;
  memoryStat: string;
  /** Microseconds of processor time per period, and the period. */
  cpuQuota: number | undefined;
  cpuPeriod: number | undefined;
  cpuUsageMicroseconds: number | undefined;
  cpuStat: string;
  tasksLimit: number | undefined;
  tasks: number | undefined;
  kills: number | undefined;
}

/**
 * Reads the limits of the container that the agent runs in: those of the root of its control groups, which has none outside
 * of containers. The values of a limit that is not set are left out.
 */
export function createControlGroupCollector({ sysRoot }: { sysRoot: string }): HostCollector {
  const root = join(sysRoot, 'fs/cgroup');
  const counters = new CounterRates();
  return {
    name: 'control-group',
    read(at) {
      const isUnified = tryText(root, 'cgroup.controllers') !== '';
      const group = isUnified ? readUnified(root) : readSeparate(root);
      const metrics: Record<string, number> = {};
      setMemory(group, metrics);
      setProcessors(group, counters, at, metrics);
      if (group.tasksLimit !== undefined && group.tasks !== undefined)
        metrics.cgroup_tasks_percent = (group.tasks / group.tasksLimit) * 100;
      return { metrics };
    },
  };
}

/** Reads a limit: "max", 0 and numbers near 2^63 are none. */
function limit(...segments: string[]): number | undefined {
  const value = tryNumber(...segments);
  return value !== undefined && value > 0 && value < UNLIMITED ? value : undefined;
}

function readUnified(root: string): Group {
  const [quota = '', period] = tryText(root, 'cpu.max').trim().split(' ');
  const cpuStat = tryText(root, 'cpu.stat');
  return {
    memoryLimit: limit(root, 'memory.max'),
    memoryUsage: tryNumber(root, 'memory.current'),
    memoryStat: tryText(root, 'memory.stat'),
    cpuQuota: /^\d+$/.test(quota) ? Number(quota) : undefined,
    cpuPeriod: Number(period),
    cpuUsageMicroseconds: fieldOf(cpuStat, 'usage_usec'),
    cpuStat,
    tasksLimit: limit(root, 'pids.max'),
    tasks: tryNumber(root, 'pids.current'),
    kills: fieldOf(tryText(root, 'memory.events'), 'oom_kill'),
  };
}

function readSeparate(root: string): Group {
  const quota = tryNumber(root, 'cpu/cpu.cfs_quota_us') ?? -1;
  const nanoseconds = tryNumber(root, 'cpuacct/cpuacct.usage');
  return {
    memoryLimit: limit(root, 'memory/memory.limit_in_bytes'),
    memoryUsage: tryNumber(root, 'memory/memory.usage_in_bytes'),
    memoryStat: tryText(root, 'memory/memory.stat'),
    cpuQuota: quota > 0 ? quota : undefined,
    cpuPeriod: tryNumber(root, 'cpu/cpu.cfs_period_us'),
    cpuUsageMicroseconds: nanoseconds === undefined ? undefined : nanoseconds / 1_000,
    cpuStat: tryText(root, 'cpu/cpu.stat'),
    tasksLimit: limit(root, 'pids/pids.max'),
    tasks: tryNumber(root, 'pids/pids.current'),
    kills: fieldOf(tryText(root, 'memory/memory.oom_control'), 'oom_kill'),
  };
}

function fieldOf(text: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

function setMemory(group: Group, metrics: Record<string, number>): void {
  const { memoryLimit, memoryUsage, memoryStat, kills } = group;
  if (memoryLimit === undefined || memoryUsage === undefined) return;
  // As for containers, page cache that the kernel can take back is not in use.
  const cache = fieldOf(memoryStat, 'total_inactive_file') ?? fieldOf(memoryStat, 'inactive_file') ?? 0;
  const used = Math.max(0, memoryUsage - cache);
  metrics.cgroup_memory_limit_bytes = memoryLimit;
  metrics.cgroup_memory_used_bytes = used;
  metrics.cgroup_memory_percent = (used / memoryLimit) * 100;
  if (kills !== undefined) metrics.cgroup_oom_kill_count = kills;
}

function setProcessors(
  group: Group,
  counters: CounterRates,
  at: number,
  metrics: Record<string, number>,
): void {
  const { cpuQuota, cpuPeriod, cpuUsageMicroseconds, cpuStat } = group;
  if (cpuQuota === undefined || !cpuPeriod) return;
  const processors = cpuQuota / cpuPeriod;
  const known = {
    usage: cpuUsageMicroseconds,
    periods: fieldOf(cpuStat, 'nr_periods'),
    throttled: fieldOf(cpuStat, 'nr_throttled'),
  };
  const values = Object.entries(known).filter((entry): entry is [string, number] => entry[1] !== undefined);
  const rates = counters.update(at, new Map(values));
  const used = rates.get('usage');
  const periods = rates.get('periods');
  metrics.cgroup_cpu_limit = processors;
  if (used !== undefined) metrics.cgroup_cpu_percent = (used / MICROSECONDS / processors) * 100;
  if (periods !== undefined)
    metrics.cgroup_cpu_throttled_percent = periods > 0 ? ((rates.get('throttled') ?? 0) / periods) * 100 : 0;
}
