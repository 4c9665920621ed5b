import type { Container } from '@tidewatch/contracts/ingest/sample';
import { cleanText, rounded } from '../reading.ts';

/** An entry of `GET /containers/json` of Docker's Engine API, of which the agent needs this much. */
export interface ListedContainer {
  Id: string;
  Names?: string[];
  Image?: string;
  State?: string;
}

/** `GET /containers/:id/stats?stream=false&one-shot=true`, of which the agent needs this much. */
export interface ContainerStats {
  cpu_stats?: { cpu_usage?: { total_usage?: number } };
  memory_stats?: {
    usage?: number;
    limit?: number;
    stats?: { inactive_file?: number; total_inactive_file?: number };
  };
}

/** States of containers that use something. */
export const MEASURED_STATES = ['running', 'paused'];

/** The figures of a container that does not run, as `docker stats --all` has them. */
export const STOPPED: ContainerStats = { memory_stats: { usage: 0 } };

/** A container's CPU clock in nanoseconds and when it was read, in monotonic milliseconds. */
export interface CpuClock {
  used: number;
  at: number;
}

/** cpu_percent is of one core, as for processes; undefined for the first reading or after a restart. */
export function containerCpuPercent(before: CpuClock | undefined, after: CpuClock): number | undefined {
  if (before === undefined || after.at <= before.at || after.used < before.used) return undefined;
  return rounded(((after.used - before.used) / 1e6 / (after.at - before.at)) * 100);
}

/** Bytes in use without the page cache that could be given back: the figure of `docker stats`. */
export function memoryUsage(stats: ContainerStats): number | undefined {
  const memory = stats.memory_stats;
  if (memory?.usage === undefined) return undefined;
  // The first version of control groups has both, and only the total counts groups within the container's.
  const cache = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file ?? 0;
  return cache < memory.usage ? memory.usage - cache : memory.usage;
}

/** Its own name: those of links that other containers have to it hold the other's name (`/web/db`). */
function ownName({ Names = [] }: ListedContainer): string {
  const names = Names.map((name) => name.replace(/^\//, ''));
  return names.find((name) => name !== '' && !name.includes('/')) ?? names[0] ?? '';
}

/** At most `max` of them, in the order given: where there are more, those that run or are paused before those that do not. */
export function mostRelevant(listed: readonly ListedContainer[], max: number): ListedContainer[] {
  if (listed.length <= max) return [...listed];
  const runs = ({ State = '' }: ListedContainer) => MEASURED_STATES.includes(State);
  return [...listed.filter(runs), ...listed.filter((entry) => !runs(entry))].slice(0, max);
}

/** The container as ingest takes it. */
export function toContainer(
  listed: ListedContainer,
  stats: ContainerStats | undefined,
  cpu: number | undefined,
): Container {
  const name = cleanText(ownName(listed), 255) || listed.Id.slice(0, 12);
  const container: Container = { name };
  if (listed.Image) container.image = cleanText(listed.Image, 512);
  if (listed.State) container.status = cleanText(listed.State, 64);
  if (cpu !== undefined) container.cpu_percent = cpu;
  const usage = stats && memoryUsage(stats);
  if (usage !== undefined) container.memory_usage = usage;
  return container;
}
