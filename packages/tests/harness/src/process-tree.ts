import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  /** The processor time of the process and of its ended children, clock ticks. */
  ticks: number;
  startedAt: number;
}

const TICKS_PER_SECOND = 100;

/** Parses a line of /proc/[pid]/stat; returns undefined for any other text. */
export function parseTimes(stat: string): Process | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
  const process = {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[1]),
    ticks,
    startedAt: Number(fields[19]),
  };
  return Number.isFinite(process.pid + process.parent + process.ticks) ? process : undefined;
}

/** A process and all of its descendants. Linux only. */
export function descendants(root: number): Process[] {
  const children = new Map<number, Process[]>();
  const found: Process[] = [];
  for (const name of readdirSync('/proc')) {
    const process = /^\d+$/.test(name) ? parseTimes(read(`/proc/${name}/stat`)) : undefined;
    if (process === undefined) continue;
    if (process.pid === root) found.push(process);
    const siblings = children.get(process.parent);
    if (siblings === undefined) children.set(process.parent, [process]);
    else siblings.push(process);
  }
  for (let index = 0; index < found.length; index += 1)
    found.push(...(children.get((found[index] as Process).pid) ?? []));
  return found;
}

/** Returns the CPU-seconds of a process tree. An ended process counts for the parent that waited for it. */
export function cpuSeconds(root: number): number {
  return descendants(root).reduce((sum, process) => sum + process.ticks, 0) / TICKS_PER_SECOND;
}

/** Returns the CPU-seconds of the ended children of a process; 0 where it is not a process of this machine. */
export function endedChildrenSeconds(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / TICKS_PER_SECOND;
}

/** Returns the CPU-seconds of a process tree by process name. An ended process counts for the parent that waited for it. */
export function cpuByName(root: number): Map<string, number> {
  const byName = new Map<string, number>();
  for (const { pid, ticks } of descendants(root)) {
    const name = describeProcess(read(`/proc/${pid}/cmdline`));
    byName.set(name, (byName.get(name) ?? 0) + ticks / TICKS_PER_SECOND);
  }
  return byName;
}

/** Watches the max resident size of each process of a tree, including those that end meanwhile. */
export function watchPeaks(root: () => number): { peaks(): Map<string, number>; stop(): void } {
  const highest = new Map<number, { name: string; bytes: number }>();
  function look(): void {
    for (const { pid } of descendants(root())) {
      const bytes = Number(/VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
      if (bytes > 0) highest.set(pid, { name: describeProcess(read(`/proc/${pid}/cmdline`)), bytes });
    }
  }
  const timer = setInterval(look, 1_000).unref();
  return {
    peaks() {
      look();
      const byName = new Map<string, number>();
      for (const { name, bytes } of highest.values())
        byName.set(name, Math.max(byName.get(name) ?? 0, bytes));
      return byName;
    },
    stop: () => clearInterval(timer),
  };
}

/** The name of a process: `postgres: checkpointer` by its title, a Node process by its script, otherwise the program. */
export function describeProcess(cmdline: string): string {
  if (cmdline.startsWith('postgres: '))
    return cmdline.split('\0', 1)[0]?.trim().split(' ').slice(0, 3).join(' ') ?? '';
  const parts = cmdline.split('\0').filter(Boolean);
  const script = parts.find((part) => /\.(ts|mjs|js)$/.test(part));
  const program = parts[0]?.split('/').at(-1) ?? '';
  return script === undefined ? program : `${program} ${script.split('/').slice(-3).join('/')}`;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
