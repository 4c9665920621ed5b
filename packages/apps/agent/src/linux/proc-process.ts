import type { ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import { cleanText, rounded } from '../reading.ts';

/** One line of /proc/[pid]/stat, of which the agent needs this much. */
export interface ProcessTimes {
  pid: number;
  name: string;
  /** Clock ticks in user and system mode since the process began. */
  ticks: number;
  /** Clock tick after boot at which it began: with the pid, an identity that is not reused. */
  startedAt: number;
  /** Resident set size, pages. */
  pages: number;
}

/** The name stands in parentheses and may itself hold spaces and parentheses, so the last one closes it. */
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
  };
}

const MAX_KERNEL_NAME_BYTES = 15;

/**
 * The name people know a process by. The kernel cuts names to fifteen bytes, and some runtimes rename their
 * first thread (Node: MainThread): then it is that of the program in /proc/[pid]/cmdline.
 */
export function fullName(name: string, cmdline: string): string {
  const program = cmdline.split('\0', 1)[0]?.split('/').at(-1) ?? '';
  const cut = Buffer.byteLength(name) >= MAX_KERNEL_NAME_BYTES && program.startsWith(name);
  return program !== '' && (cut || name === 'MainThread') ? cleanText(program, 255) : name;
}

export interface KernelUnits {
  /** Clock ticks a second. */
  ticksPerSecond: number;
  pageBytes: number;
}

const AT_PAGE_SIZE = 6n;
const AT_CLOCK_TICKS = 17n;

/** Page size and clock ticks from /proc/self/auxv (64-bit, little-endian pairs), so that 16 and 64 KiB pages count right. */
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

/** Whether `fullName` needs the command line of a process with this name. */
export function mayBeCut(name: string): boolean {
  return name === 'MainThread' || Buffer.byteLength(name) >= MAX_KERNEL_NAME_BYTES;
}

/**
 * The processes of the busiest and of the largest names, `count` of each at most, busiest first. cpu_percent is of one core.
 * A process that began since the reading before has used all its ticks since then.
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

/** So many processes of one name are listed one by one; the smaller ones of a larger pool are one entry. */
const MAX_OF_NAME = 20;

/**
 * The processes of the `count` names that take most CPU and of the `count` that take most memory, all of a name together, so
 * that the sums of the listed ones are those of their names; busiest first. Of a pool of many the smallest are one
 * entry with their sum and the pid of the largest of them.
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
  if (members.length <= MAX_OF_NAME) return [...members];
  const sorted = members.toSorted(busiestFirst);
  const rest = sorted.slice(MAX_OF_NAME - 1);
  const [first] = rest as [Required<ProcessInfo>];
  const cpu_percent = sumOf(rest, 'cpu_percent');
  return [
    ...sorted.slice(0, MAX_OF_NAME - 1),
    { ...first, cpu_percent, memory_rss: sumOf(rest, 'memory_rss') },
  ];
}

// Only now: of many that use next to nothing each, the sum is what counts.
function roundedUse(process: Required<ProcessInfo>): Required<ProcessInfo> {
  return { ...process, cpu_percent: rounded(process.cpu_percent) };
}

function busiestFirst(a: Required<ProcessInfo>, b: Required<ProcessInfo>): number {
  return b.cpu_percent - a.cpu_percent || b.memory_rss - a.memory_rss || a.pid - b.pid;
}

function sumOf(members: readonly Required<ProcessInfo>[], field: 'cpu_percent' | 'memory_rss'): number {
  return members.reduce((sum, member) => sum + member[field], 0);
}
