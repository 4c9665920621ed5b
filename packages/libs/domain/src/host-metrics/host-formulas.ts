/** The formulas of the metrics of hosts, one for every agent from which they are computed. All results are percent. */

/** The use of processors: what of `total` time was neither idle nor waiting for a disk. Undefined if no time passed. */
export function busyPercent(idle: number, total: number): number | undefined {
  return total > 0 ? clamp(((total - idle) / total) * 100) : undefined;
}

/** What of memory is not available to programs, as the kernel estimates it. Undefined without a total. */
export function memoryPercent(available: number, total: number): number | undefined {
  return total > 0 ? clamp((1 - available / total) * 100) : undefined;
}

/** The use of swap space; 0 where there is none. */
export function swapPercent(free: number, total: number): number {
  return total > 0 ? clamp((1 - free / total) * 100) : 0;
}

/**
 * The use of a file system as `df` has it: of what is used and what users may still use, so that blocks that are reserved for the
 * administrator count as neither. Undefined for one without blocks.
 */
export function fileSystemPercent(used: number, available: number): number | undefined {
  return used + available > 0 ? clamp((used / (used + available)) * 100) : undefined;
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}
