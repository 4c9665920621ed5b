import type { Container } from '@tidewatch/contracts/ingest/sample';
import { cleanText, rounded } from '../reading.ts';
import { parseStatus } from './container-status.ts';
import type { ContainerStats, InspectedContainer, ListedContainer } from './engine-api.ts';

/** States in which a container uses processor or memory. */
export const MEASURED_STATES = ['running', 'paused'];

/** The statistics of a stopped container, all zero, as in `docker stats --all`. */
export const STOPPED: ContainerStats = { memory_stats: { usage: 0 } };

export interface CpuClock {
  /** Processor time of a container, ns. */
  used: number;
  /** The time of the reading, ms on a clock that never goes back. */
  at: number;
}

/** Percent of one core, as for processes; undefined for the first reading and after a restart. */
export function containerCpuPercent(before: CpuClock | undefined, after: CpuClock): number | undefined {
  if (before === undefined || after.at <= before.at || after.used < before.used) return undefined;
  return rounded(((after.used - before.used) / 1e6 / (after.at - before.at)) * 100);
}

/** The bytes in use without reclaimable page cache, as in `docker stats`. */
export function memoryUsage(stats: ContainerStats): number | undefined {
  const memory = stats.memory_stats;
  if (memory?.usage === undefined) return undefined;
  // cgroup v1 has both fields, and only the one with `total_` includes nested groups.
  const cache = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file ?? 0;
  return cache < memory.usage ? memory.usage - cache : memory.usage;
}

/** The name of the container itself. Links add further names with the name of another container in front (`/web/db`). */
function ownName({ Names = [] }: ListedContainer): string {
  const names = Names.map((name) => name.replace(/^\//, ''));
  return names.find((name) => name !== '' && !name.includes('/')) ?? names[0] ?? '';
}

/**
 * Gives each container a name of its own. A name that two have, as after it was shortened, stays with the one that runs, and
 * with the newer of two; the others get the start of their id behind it.
 */
export function distinctNames(listed: readonly ListedContainer[]): Map<ListedContainer, string> {
  const names = new Map<ListedContainer, string>();
  const taken = new Set<string>();
  const ranked = listed.toSorted(
    (a, b) => Number(runs(b)) - Number(runs(a)) || (b.Created ?? 0) - (a.Created ?? 0),
  );
  for (const entry of ranked) {
    const id = entry.Id.slice(0, 12);
    const own = cleanText(ownName(entry), 255) || id;
    const name = taken.has(own) ? `${cleanText(own, 242)}-${id}` : own;
    taken.add(name);
    names.set(entry, name);
  }
  return names;
}

function runs({ State = '' }: ListedContainer): boolean {
  return MEASURED_STATES.includes(State);
}

/** Selects at most `max` containers, in the given order; if there are more, running and paused ones first. */
export function selectReported(listed: readonly ListedContainer[], max: number): ListedContainer[] {
  if (listed.length <= max) return [...listed];
  return [...listed.filter(runs), ...listed.filter((entry) => !runs(entry))].slice(0, max);
}

/** The counters of a container that become rates, by the names of these, bytes. */
export function transferCounters(stats: ContainerStats): Map<string, number> {
  const counters = new Map<string, number>();
  const add = (name: string, value: number | undefined) => {
    if (value !== undefined) counters.set(name, (counters.get(name) ?? 0) + value);
  };
  for (const { rx_bytes, tx_bytes } of Object.values(stats.networks ?? {})) {
    add('network_receive_bytes_per_second', rx_bytes);
    add('network_transmit_bytes_per_second', tx_bytes);
  }
  for (const { op = '', value } of stats.blkio_stats?.io_service_bytes_recursive ?? [])
    if (/^(read|write)$/i.test(op)) add(`block_${op.toLowerCase()}_bytes_per_second`, value);
  return counters;
}

/** What is known of a container besides its entry in the list; what is not known is undefined. */
export interface ContainerFacts {
  name: string;
  stats: ContainerStats | undefined;
  cpu: number | undefined;
  /** The rates of `transferCounters`. */
  rates?: ReadonlyMap<string, number>;
  details?: InspectedContainer | undefined;
}

/** Converts a container to the form that ingest accepts. */
export function toContainer(listed: ListedContainer, facts: ContainerFacts): Container {
  const { name, stats, cpu, rates, details } = facts;
  const container: Container = { name, id: cleanText(listed.Id, 64) };
  if (listed.Image) container.image = cleanText(listed.Image, 512);
  if (listed.State) {
    container.status = cleanText(listed.State, 64);
    container.running = listed.State === 'running' ? 1 : 0;
  }
  const { health } = parseStatus(listed.Status ?? '');
  if (health !== undefined) {
    container.health = health;
    container.unhealthy = health === 'unhealthy' ? 1 : 0;
  }
  if (cpu !== undefined) container.cpu_percent = cpu;
  const usage = stats && memoryUsage(stats);
  if (usage !== undefined) container.memory_usage = usage;
  // Docker says the memory of the machine in place of the limit of a container that has none.
  const limit = details?.HostConfig?.Memory
    ? (stats?.memory_stats?.limit ?? details.HostConfig.Memory)
    : undefined;
  if (limit !== undefined) container.memory_limit = limit;
  if (limit !== undefined && usage !== undefined) container.memory_percent = rounded((usage / limit) * 100);
  for (const [metric, rate] of rates ?? []) container[metric] = rounded(rate);
  if (details?.RestartCount !== undefined) container.restart_count = details.RestartCount;
  if (details?.State?.OOMKilled !== undefined) container.oom_killed = Number(details.State.OOMKilled);
  if (details?.State?.ExitCode !== undefined && /^(exited|dead)$/.test(listed.State ?? ''))
    container.exit_code = details.State.ExitCode;
  return container;
}
