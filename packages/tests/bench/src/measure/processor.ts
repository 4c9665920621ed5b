import { readFileSync } from 'node:fs';
import { cpuByName } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';

const TICKS_PER_SECOND = 100;
/** What names of processes begin with that serve a login of the product. */
const BACKEND = 'postgres: tidewatch_';

/** CPU-seconds of the whole machine since it was started. */
export interface ProcessorTime {
  busy: number;
  /** Steal time: taken by the host of a virtual machine. */
  stolen: number;
}

/** Parses the first line of /proc/stat. The time of guests is part of user time and is not added again. */
export function parseProcessorTime(stat: string): ProcessorTime {
  const numbers = (stat.split('\n', 1)[0] ?? '').trim().split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = numbers;
  return {
    busy: (user + nice + system + irq + softirq) / TICKS_PER_SECOND,
    stolen: steal / TICKS_PER_SECOND,
  };
}

export function processorTime(): ProcessorTime {
  return parseProcessorTime(readFileSync('/proc/stat', 'utf8'));
}

/** CPU-seconds of this process. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Returns CPU-seconds of PostgreSQL since the start: those of backends that serve the product, and those of its upkeep, such as autovacuum
 * and checkpoints. Ended processes count as upkeep.
 */
export function cpuOfPostgres(product: Product): { backends: number; upkeep: number } {
  const used = { backends: 0, upkeep: 0 };
  for (const [name, seconds] of cpuByName(product.pid()))
    if (name.startsWith('postgres')) used[name.startsWith(BACKEND) ? 'backends' : 'upkeep'] += seconds;
  return used;
}

/** Returns CPU-seconds since the start; ended processes of PostgreSQL count for its postmaster. */
export function cpuByKind(product: Product): { node: number; postgres: number } {
  const used = { node: 0, postgres: 0 };
  for (const [name, seconds] of cpuByName(product.pid()))
    used[name.startsWith('postgres') ? 'postgres' : 'node'] += seconds;
  return used;
}
