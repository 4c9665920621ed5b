import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type MetricName, natures } from './natures.ts';
import type { Random } from './random.ts';
import { type Effect, Signal, step } from './signal.ts';

export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** A process or container that uses processor (percent of one processor) and memory (bytes). */
export interface User {
  readonly name: string;
  readonly cpu: Signal;
  readonly memory: Signal;
  /** Whether the process or container is a job that starts and ends by itself. */
  readonly job: boolean;
  /** Whether the process or container exists at this time, so that snapshots list it. */
  alive(time: number): boolean;
  pid(time: number): number;
  status(time: number): string;
}

export interface Host {
  readonly name: string;
  readonly serviceId: string;
  readonly tags: Record<string, string>;
  readonly cores: number;
  readonly memory: number;
  readonly signals: Map<MetricName, Signal>;
  readonly processes: User[];
  readonly containers: User[];
  /** The last boot before `time`; two boots of the host are known. */
  bootedAt(time: number): number;
}

const PROCESSES = [
  ['nginx', 8, 180],
  ['postgres', 12, 900],
  ['sshd', 0.1, 10],
  ['systemd', 0.2, 14],
  ['node', 15, 420],
  ['redis-server', 3, 150],
  ['dockerd', 1.5, 90],
  ['containerd', 0.8, 60],
  ['journald', 0.6, 40],
  ['telegraf', 1, 55],
  ['python3', 5, 260],
  ['java', 18, 1600],
  ['cron', 0.05, 4],
  ['rsyslogd', 0.3, 12],
  ['kworker', 0.7, 0],
  ['ntpd', 0.02, 5],
  ['snapd', 0.1, 30],
  ['php-fpm', 6, 300],
] as const;
/** The metrics of other hosts that are simulated, for comparison with the alerting host. */
export const PEER_METRICS: readonly MetricName[] = [
  'cpu_percent',
  'load_1',
  'memory_percent',
  'disk_io_wait_percent',
  'disk_write_bytes_per_second',
  'network_transmit_bytes_per_second',
  'requests_per_second',
  'latency_ms',
  'latency_p95_ms',
  'errors_per_second',
  'queue_length',
  'cpu_steal_percent',
];
const CONTAINERS = ['api', 'cache', 'worker', 'search', 'gateway', 'mailer'] as const;
const MEBIBYTE = 2 ** 20;

/** Simulates an ordinary host without any trouble. */
export function makeHost(
  random: Random,
  name: string,
  span: Span,
  noise: number,
  tags: Record<string, string>,
  metrics?: readonly MetricName[],
): Host {
  const signals = new Map<MetricName, Signal>();
  for (const [metric, nature] of natures(random, noise))
    if (metrics === undefined || metrics.includes(metric))
      signals.set(metric, new Signal(nature, random, span.begin, span.end));
  const booted = span.begin - random.between(1, 90) * 86_400_000;
  return {
    name,
    serviceId: `svc_${name}`,
    tags,
    cores: random.pick([2, 4, 8, 16]),
    memory: random.pick([8, 16, 32, 64]) * 1_024 * MEBIBYTE,
    signals,
    processes: PROCESSES.filter(() => random.chance(0.85)).map(([process, cpu, memory]) =>
      makeUser(
        random,
        process,
        cpu * random.between(0.5, 2),
        memory * MEBIBYTE * random.between(0.5, 1.5),
        span,
        noise,
      ),
    ),
    containers: CONTAINERS.filter(() => random.chance(0.7)).map((container) =>
      makeUser(random, container, random.between(1, 20), random.between(60, 900) * MEBIBYTE, span, noise),
    ),
    bootedAt: () => booted,
  };
}

export function makeUser(
  random: Random,
  name: string,
  cpu: number,
  memory: number,
  span: Span,
  noise: number,
): User {
  const pid = random.whole(300, 60_000);
  const alike = random.between(0.3, 0.9);
  const rhythm = cpu * random.between(0, 0.3);
  return {
    name,
    cpu: new Signal(
      { base: cpu, rhythm, slow: 0.12 * noise, fast: 0.18 * noise, alike, multiplied: true, least: 0 },
      random,
      span.begin,
      span.end,
    ),
    memory: new Signal(
      {
        base: memory,
        rhythm: memory * 0.02,
        slow: 0.015 * noise,
        fast: 0.004 * noise,
        alike: 0.95,
        multiplied: true,
        least: 0,
      },
      random,
      span.begin,
      span.end,
    ),
    job: false,
    alive: () => true,
    pid: () => pid,
    status: () => 'running',
  };
}

/** A process that exists only while `during` returns true, such as a job. */
export function makeJob(random: Random, name: string, span: Span, during: (time: number) => boolean): User {
  const job = makeUser(random, name, 0.5, 20 * MEBIBYTE, span, 1);
  return { ...job, job: true, alive: during };
}

/** Creates a process that always exists on the host. */
export function standingProcess(random: Random, host: Host): User {
  return random.pick(host.processes.filter(({ job }) => !job));
}

/** Adds an effect to a metric, if the host has it. */
export function affect(host: Host, metric: MetricName, effect: Effect): void {
  host.signals.get(metric)?.add(effect);
}

/**
 * Makes a process or container use more processor time, with the effect on the host's metrics. `effect` is in percent of
 * one processor.
 */
export function burn(host: Host, user: User, effect: Effect): void {
  user.cpu.add(effect);
  const whole: Effect = (time) => effect(time) / host.cores;
  affect(host, 'cpu_percent', whole);
  affect(host, 'load_1', (time) => effect(time - 20_000) / 100);
  affect(host, 'load_5', (time) => effect(time - 150_000) / 100);
  affect(host, 'temperature_celsius', (time) => whole(time - 45_000) * 0.12);
  affect(host, 'context_switches_per_second', (time) => whole(time) * 20);
}

/** Makes a process or container use more memory, with the effect on the host's metrics. `effect` is in bytes. */
export function fill(host: Host, user: User, effect: Effect): void {
  user.memory.add(effect);
  affect(host, 'memory_percent', (time) => (effect(time) / host.memory) * 100);
}

/** Adds unrelated events to a host: jobs that start and end, and metrics that change without a cause. */
export function distract(random: Random, host: Host, span: Span, near: number): void {
  if (random.chance(0.3)) restartOne(random, host.processes, near);
  if (random.chance(0.1)) restartOne(random, host.containers, near);
  const jobs = random.whole(1, 3);
  for (let nth = 0; nth < jobs; nth++) {
    const starts = Array.from({ length: 12 }, () => random.between(span.begin, near + 20 * MINUTE_MS));
    starts.push(near - random.between(15, 100) * MINUTE_MS);
    const length = random.between(1, 8) * MINUTE_MS;
    const during = (time: number) => starts.some((start) => time >= start && time < start + length);
    const job = makeJob(
      random,
      random.pick(['apt-get', 'logrotate', 'updatedb', 'certbot', 'backup-check']),
      span,
      during,
    );
    const size = random.between(4, 10) * host.cores * random.between(0.1, 0.6);
    host.processes.push(job);
    burn(host, job, (time) => (during(time) ? size : 0));
  }
  for (const metric of [
    'disk_read_bytes_per_second',
    'connections',
    'queue_length',
    'errors_per_second',
    'temperature_celsius',
  ] as const) {
    const signal = host.signals.get(metric);
    if (signal === undefined || !random.chance(0.3)) continue;
    const size = signal.at(near - 3_600_000) * random.between(0.2, 0.8);
    const from = near + random.between(-110, 25) * MINUTE_MS;
    signal.add(step(size, from, 0, from + random.between(5, 120) * MINUTE_MS));
  }
}

/** Restarts a process or container, as happens every day: a new pid, or a container that is down for a minute. */
function restartOne(random: Random, users: User[], near: number): void {
  const at = near + random.between(-110, 20) * MINUTE_MS;
  const index = random.whole(0, users.length - 1);
  const user = users[index];
  if (user === undefined) return;
  users[index] = {
    ...user,
    pid: (time) => user.pid(time) + (time >= at ? 1_001 : 0),
    status: (time) => (time >= at && time < at + MINUTE_MS ? 'restarting' : user.status(time)),
  };
}
