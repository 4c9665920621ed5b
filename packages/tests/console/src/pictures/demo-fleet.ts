import { createRandom } from '@tidewatch/harness/seeded-random';

const MINUTE_MS = 60_000;
const GIBIBYTE = 2 ** 30;

/** What happens to a metric of a host: a function of the minutes until now, such as -5, added to its usual course. */
type Effect = (minutes: number) => number;

export interface DemoHost {
  name: string;
  tags: Record<string, string>;
  effects: Partial<Record<string, Effect>>;
  /** Processes with their share of the processor and their memory, bytes; a function of the minutes until now. */
  processes: { name: string; pid: number; cpu: Effect; memory: number }[];
  /** The version since the deployment, where it was deployed. */
  deployed?: string;
}

const ROLES = [
  ['web', 10, 'nginx', 'node'],
  ['api', 12, 'node', 'redis-server'],
  ['db', 6, 'postgres', 'pgbouncer'],
  ['worker', 8, 'python3', 'celery'],
  ['cache', 4, 'valkey-server', 'node_exporter'],
  ['build', 4, 'java', 'dockerd'],
] as const;
const REGIONS = ['eu-central', 'us-east'] as const;

/** Minutes ago at which the new version was deployed, and at which the reindexing began. */
export const DEPLOYED_MINUTES_AGO = 13;
const REINDEX_MINUTES_AGO = 9;

const since =
  (start: number, rise: number, size: number): Effect =>
  (minutes) =>
    size * Math.min(Math.max((minutes + start) / rise, 0), 1);

const between =
  (from: number, to: number, size: number): Effect =>
  (minutes) =>
    minutes >= from && minutes < to ? size : 0;

/** The hosts of a small company, of which a few have trouble now. */
export function demoFleet(): DemoHost[] {
  const hosts = ROLES.flatMap(([role, count, ...programs]) =>
    Array.from({ length: count }, (_, index): DemoHost => {
      const name = `${role}-${String(index + 1).padStart(2, '0')}`;
      const tags = { role, region: REGIONS[index % 2] as string, version: '2.13.4' };
      const processes = [...programs, 'sshd', 'systemd-journald'].map((program, place) => ({
        name: program,
        pid: 800 + index * 40 + place * 7,
        cpu: () => [24, 6, 0.2, 0.4][place] as number,
        memory: [2.1, 0.4, 0.01, 0.05].map((size) => size * GIBIBYTE)[place] as number,
      }));
      return { name, tags, effects: {}, processes };
    }),
  );
  const host = (name: string) => hosts.find((each) => each.name === name) as DemoHost;
  const database = host('db-02');
  database.effects['cpu_percent'] = since(REINDEX_MINUTES_AGO, 1, 62);
  database.effects['disk_io_wait_percent'] = since(REINDEX_MINUTES_AGO, 1, 21);
  database.processes.unshift({
    name: 'reindexdb',
    pid: 41_207,
    cpu: (minutes) => (minutes >= -REINDEX_MINUTES_AGO ? 380 : 0),
    memory: 3.4 * GIBIBYTE,
  });
  for (const name of ['api-02', 'api-05', 'api-08', 'api-11']) {
    const api = host(name);
    api.deployed = '2.14.0';
    api.effects['latency_p95_ms'] = since(DEPLOYED_MINUTES_AGO, 2, 560);
  }
  host('build-03').effects['disk_percent'] = since(180, 170, 48);
  host('worker-04').effects['memory_percent'] = since(90, 80, 46);
  // What the night had: alerts that resolved by themselves.
  host('worker-02').effects['memory_percent'] = between(-430, -418, 45);
  host('worker-06').effects['memory_percent'] = between(-310, -300, 44);
  host('api-07').effects['latency_p95_ms'] = between(-395, -386, 480);
  return hosts;
}

/** A payload of a host at a time, ms. */
export function payloadOf(host: DemoHost, at: number, now: number): object {
  const minutes = (at - now) / MINUTE_MS;
  const isDeployed = host.deployed !== undefined && minutes >= -DEPLOYED_MINUTES_AGO;
  const metrics = Object.fromEntries(
    Object.entries(USUAL).map(([metric, { base, daily, noise, max }]) => {
      const random = createRandom(hash(`${host.name} ${metric}`));
      const own = base * (0.7 + 0.6 * random());
      const day = daily * Math.sin(((at / 86_400_000) % 1) * 2 * Math.PI + random());
      const value =
        own + day + noise * drift(host.name + metric, at) + (host.effects[metric]?.(minutes) ?? 0);
      return [metric, Math.round(Math.min(Math.max(value, 0), max) * 100) / 100];
    }),
  );
  const processes = host.processes
    .map(({ cpu, memory, ...each }) => ({
      ...each,
      cpu_percent: cpu(minutes),
      memory_rss: Math.round(memory),
    }))
    .filter(({ cpu_percent }) => cpu_percent > 0);
  return {
    host: host.name,
    timestamp: new Date(at).toISOString(),
    interval_seconds: 30,
    tags: { ...host.tags, ...(isDeployed && { version: host.deployed }) },
    metrics,
    processes,
  };
}

const USUAL = {
  cpu_percent: { base: 30, daily: 6, noise: 5, max: 100 },
  memory_percent: { base: 50, daily: 2, noise: 1.5, max: 100 },
  disk_percent: { base: 46, daily: 0, noise: 0.1, max: 100 },
  disk_io_wait_percent: { base: 2, daily: 0.5, noise: 0.6, max: 100 },
  latency_p95_ms: { base: 140, daily: 20, noise: 14, max: 60_000 },
  requests_per_second: { base: 220, daily: 70, noise: 24, max: 1e6 },
  network_receive_bytes_per_second: { base: 4e6, daily: 1e6, noise: 4e5, max: 1e10 },
} as const;

/** Noise around 0 that depends on the name and the time alone: lines between values of every two minutes, and jitter. */
function drift(name: string, at: number): number {
  const knot = Math.floor(at / (2 * MINUTE_MS));
  const share = at / (2 * MINUTE_MS) - knot;
  const value = (nth: number) => createRandom(hash(name) + nth)() * 2 - 1;
  return value(knot) * (1 - share) + value(knot + 1) * share + 0.5 * value(Math.floor(at / 10_000));
}

function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (value * 31 + letter.charCodeAt(0)) | 0;
  return value;
}
