import type { ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { cleanText, rounded } from '../reading.ts';

/** The fields of /proc/[pid]/stat that the agent reads. */
export interface ProcessTimes {
  pid: number;
  name: string;
  /** Clock ticks in user and system mode since the process began. */
  ticks: number;
  /** The clock tick after boot at which the process began; identifies the process together with its pid. */
  startedAt: number;
  /** The resident set size in pages. */
  pages: number;
  /** Whether the process has ended and waits for its parent to read its exit status. */
  isZombie: boolean;
  /** Whether it is a thread of the kernel. */
  isKernelThread: boolean;
}

/** The flag of a kernel thread in the field `flags`, as in include/linux/sched.h. */
const PF_KTHREAD = 0x0020_0000;

/** Parses /proc/[pid]/stat. The name is in parentheses and may contain parentheses, so that the last one closes it. */
export function parseProcess(stat: string): ProcessTimes | undefined {
  const opening = stat.indexOf('(');
  const closing = stat.lastIndexOf(')');
  if (opening < 0 || closing < opening) return undefined;
  const fields = stat.slice(closing + 2).split(' ');
  const pid = Number.parseInt(stat, 10);
  const ticks = Number(fields[11]) + Number(fields[12]);
  const startedAt = Number(fields[19]);
  const pages = Number(fields[21]);
  if (!Number.isFinite(pid + ticks + startedAt + pages)) return undefined;
  return {
    pid,
    name: cleanText(stat.slice(opening + 1, closing), 255) || `pid ${pid}`,
    ticks,
    startedAt,
    pages,
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
    isKernelThread: (Number(fields[6]) & PF_KTHREAD) !== 0,
  };
}

/** The max number of names whose processes are counted. */
const MAX_COUNTED_NAMES = 1_000;

/**
 * The number of processes of each name, of all names up to the limit. Zombies do not count, because they no longer run, nor
 * do threads of the kernel whose name has a `/`: their names contain a processor or their work, and change all the time.
 */
export function countByName(processes: Iterable<ProcessTimes>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { name, isZombie, isKernelThread } of processes)
    if (!isZombie && !(isKernelThread && name.includes('/'))) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].toSorted(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
  return Object.fromEntries(sorted.slice(0, MAX_COUNTED_NAMES));
}

const MAX_KERNEL_NAME_BYTES = 15;

/**
 * The full name of a process, from /proc/[pid]/cmdline if the kernel truncated the name to fifteen bytes, or if the runtime
 * renamed its first thread (as Node to MainThread).
 */
export function fullName(name: string, cmdline: string): string {
  const program = cmdline.split('\0', 1)[0]?.split('/').at(-1) ?? '';
  const cut = Buffer.byteLength(name) >= MAX_KERNEL_NAME_BYTES && program.startsWith(name);
  return program !== '' && (cut || name === 'MainThread') ? cleanText(program, 255) : name;
}

export interface KernelUnits {
  /** The number of clock ticks per second. */
  ticksPerSecond: number;
  pageBytes: number;
}

const AT_PAGE_SIZE = 6n;
const AT_CLOCK_TICKS = 17n;

/**
 * Reads page size and clock ticks from /proc/self/auxv (64-bit little-endian keys and values), because pages may have 16 or
 * 64 KiB.
 */
export function parseAuxiliaryVector(auxv: Uint8Array): KernelUnits {
  const units: KernelUnits = { ticksPerSecond: 100, pageBytes: 4096 };
  const view = new DataView(auxv.buffer, auxv.byteOffset, auxv.byteLength);
  for (let at = 0; at + 16 <= view.byteLength; at += 16) {
    const type = view.getBigUint64(at, true);
    const value = Number(view.getBigUint64(at + 8, true));
    if (value <= 0) continue;
    if (type === AT_PAGE_SIZE) units.pageBytes = value;
    if (type === AT_CLOCK_TICKS) units.ticksPerSecond = value;
  }
  return units;
}

/** Returns true if the kernel may have truncated this process name, so that `fullName` needs the command line. */
export function mayBeTruncated(name: string): boolean {
  return name === 'MainThread' || Buffer.byteLength(name) >= MAX_KERNEL_NAME_BYTES;
}

/**
 * The processes of at most `count` names with the most processor use and of `count` names with the most memory use, busiest
 * first. cpu_percent is of one core. All ticks of a new process count for this reading.
 */
export function topProcesses(
  before: ReadonlyMap<number, ProcessTimes>,
  after: readonly ProcessTimes[],
  seconds: number,
  units: KernelUnits,
  count: number,
): ProcessInfo[] {
  const usage = after.map((process): Required<ProcessInfo> => {
    const old = before.get(process.pid);
    const ticks =
      old !== undefined && old.startedAt === process.startedAt ? process.ticks - old.ticks : process.ticks;
    const cpu = seconds > 0 ? (Math.max(0, ticks) / units.ticksPerSecond / seconds) * 100 : 0;
    return {
      name: process.name,
      pid: process.pid,
      cpu_percent: cpu,
      memory_rss: process.pages * units.pageBytes,
    };
  });
  return topOf(usage, count);
}

/** The max number of entries with the same name; the smallest processes of a larger pool share the last entry. */
const MAX_ENTRIES_OF_NAME = 20;

/**
 * The processes of the `count` names with the most processor use and of the `count` names with the most memory use, busiest
 * first. The entries of a name add up to its total: in a large pool, the smallest processes share one entry with their sum
 * and the pid of the largest of them.
 */
export function topOf(usage: readonly Required<ProcessInfo>[], count: number): Required<ProcessInfo>[] {
  const pools = [...Map.groupBy(usage, ({ name }) => name).values()].map((members) => ({
    members,
    cpu: sumOf(members, 'cpu_percent'),
    memory: sumOf(members, 'memory_rss'),
  }));
  const byCpu = pools.toSorted((a, b) => b.cpu - a.cpu || b.memory - a.memory);
  const byMemory = pools.toSorted((a, b) => b.memory - a.memory);
  const chosen = new Set([...byCpu.slice(0, count), ...byMemory.slice(0, count)]);
  return [...chosen]
    .flatMap(({ members }) => bounded(members))
    .map(roundedUse)
    .toSorted(busiestFirst);
}

function bounded(members: readonly Required<ProcessInfo>[]): Required<ProcessInfo>[] {
  if (members.length <= MAX_ENTRIES_OF_NAME) return [...members];
  const sorted = members.toSorted(busiestFirst);
  const rest = sorted.slice(MAX_ENTRIES_OF_NAME - 1);
  const [first] = rest as [Required<ProcessInfo>];
  const cpu_percent = sumOf(rest, 'cpu_percent');
  return [
    ...sorted.slice(0, MAX_ENTRIES_OF_NAME - 1),
    { ...first, cpu_percent, memory_rss: sumOf(rest, 'memory_rss') },
  ];
}

// Rounded after summing, because many processes that each round to 0 may have a sum that does not.
function roundedUse(process: Required<ProcessInfo>): Required<ProcessInfo> {
  return { ...process, cpu_percent: rounded(process.cpu_percent) };
}

function busiestFirst(a: Required<ProcessInfo>, b: Required<ProcessInfo>): number {
  return b.cpu_percent - a.cpu_percent || b.memory_rss - a.memory_rss || a.pid - b.pid;
}

function sumOf(members: readonly Required<ProcessInfo>[], field: 'cpu_percent' | 'memory_rss'): number {
  return members.reduce((sum, member) => sum + member[field], 0);
}
