import { PART_METRICS } from './parts.ts';

/** The complete, deterministic plan of a run: the generator sends it, and the ledger is checked against it. */
export interface Plan {
  seed: number;
  hosts: number;
  metrics: number;
  /** Milliseconds between two samples of a host. */
  stepMs: number;
  /** Time of the first tick, milliseconds since the epoch. */
  startMs: number;
  ticks: number;
  connections: number;
  payloadsPerRequest: number;
  /** Whether each payload is sent at its time, hosts spread over the step; otherwise as fast as responses allow. */
  paced: boolean;
  /** The pause between the first tick and the second, ms; no pause if absent. */
  pauseMs?: number;
  /** Whether each payload also has 4 tags, 5 containers and 20 processes. */
  rich: boolean;
  /** The number of parts of each payload, with five numbers each. */
  parts: number;
}

const NAMES = [
  'cpu_percent',
  'memory_percent',
  'disk_percent',
  'swap_percent',
  'load_1',
  'iowait_percent',
  'steal_percent',
  'inode_percent',
  'load_5',
  'load_15',
];

export function metricName(index: number): string {
  return NAMES[index] ?? `metric_${index}`;
}

export function hostName(host: number): string {
  return `bench-${String(host).padStart(5, '0')}`;
}

/** Returns the time of a sample, ms since the epoch. */
export function timeOf(plan: Plan, host: number, tick: number): number {
  const spread = plan.paced ? Math.floor((host * plan.stepMs) / plan.hosts) : 0;
  return plan.startMs + tick * plan.stepMs + (tick > 0 ? (plan.pauseMs ?? 0) : 0) + spread;
}

/** The tick of a host's sample with this time; undefined if there is none. */
export function tickAt(plan: Plan, host: number, time: number): number | undefined {
  const first = timeOf(plan, host, 0);
  const tick = time === first ? 0 : (time - first - (plan.pauseMs ?? 0)) / plan.stepMs;
  const known = Number.isInteger(tick) && tick < plan.ticks && (tick > 0 || time === first);
  return known ? tick : undefined;
}

/**
 * The hosts of one connection. A connection sends its payloads tick by tick, one request after the other, so that samples
 * of a host arrive in order and the progress of a connection is one number.
 */
export function hostsOf(plan: Plan, connection: number): number[] {
  const hosts: number[] = [];
  for (let host = connection; host < plan.hosts; host += plan.connections) hosts.push(host);
  return hosts;
}

/** The position of a payload (host and tick) in the sequence of its connection. */
export function positionOf(plan: Plan, host: number, tick: number): number {
  const connection = host % plan.connections;
  const hosts = Math.ceil((plan.hosts - connection) / plan.connections);
  return tick * hosts + Math.floor(host / plan.connections);
}

export function payloadsOf(plan: Plan, connection: number): number {
  return hostsOf(plan, connection).length * plan.ticks;
}

/** Returns the number of samples in one payload: its metrics, in a rich payload two for each of five containers, and the numbers of parts. */
export function samplesOfPayload(plan: Plan): number {
  return plan.metrics + (plan.rich ? 10 : 0) + plan.parts * PART_METRICS.length;
}
