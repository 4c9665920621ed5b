import { readFileSync } from 'node:fs';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTestGateway, TEST_KEY } from '../../testing/gateway.harness.ts';
import { encodeRequest1 } from '../../testing/remote-write.fixture.ts';
import { compressSnappy } from '../../testing/snappy.fixture.ts';

const gateway = await openForFile(openTestGateway({ seriesLimit: 100_000 }));
const NOW = Math.floor(Date.now() / 1_000) * 1_000 - 120_000;
/** Hosts of other tests are others, because a gateway remembers them. */
let host = '';
let count = 0;

beforeEach(() => {
  gateway.stored.length = 0;
  count += 1;
  host = `host-${count}`;
});

async function post(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { 'X-API-Key': TEST_KEY, ...headers },
  });
  expect([response.status, await response.text()]).toEqual([
    path === '/v1/metrics' ? 200 : 204,
    expect.anything(),
  ]);
}

const payloads = (): Payload[] => gateway.stored.flatMap((batch) => batch.payloads);
const lists = () =>
  payloads().map(({ time, containers, processes, processCounts }) => ({
    at: (time - NOW) / 1_000,
    ...(containers && { containers }),
    ...(processes && { processes }),
    ...(processCounts && { counts: processCounts }),
  }));

type Attributes = Record<string, string | number>;
const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));

/** The resource of a process or container, with values by name; a counter is a list of one. */
function resourceOf(
  resource: Attributes,
  seconds: number,
  values: Record<string, number | [number]>,
  attributes: Attributes = {},
) {
  const metrics = Object.entries(values).map(([name, value]) => {
    const point = {
      timeUnixNano: `${NOW + seconds * 1_000}000000`,
      asDouble: Array.isArray(value) ? value[0] : value,
      attributes: attributesOf(attributes),
    };
    return Array.isArray(value)
      ? { name, sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [point] } }
      : { name, gauge: { dataPoints: [point] } };
  });
  return {
    resource: { attributes: attributesOf({ 'host.name': host, ...resource }) },
    scopeMetrics: [{ metrics }],
  };
}

const sendOtlp = (...resourceMetrics: object[]) =>
  post('/v1/metrics', JSON.stringify({ resourceMetrics }), { 'Content-Type': 'application/json' });

describe('processes of the Collector', () => {
  const ofProcess = (pid: number, name: string, seconds: number, cpu: number, memory: number) => {
    const resource = { 'process.pid': pid, 'process.executable.name': name };
    return [
      resourceOf(resource, seconds, { 'process.cpu.time': [cpu] }, { state: 'user' }),
      resourceOf(resource, seconds, { 'process.cpu.time': [cpu] }, { state: 'system' }),
      resourceOf(resource, seconds, { 'process.cpu.time': [cpu * 100] }, { state: 'wait' }),
      resourceOf(resource, seconds, { 'process.memory.usage': memory, 'process.memory.virtual': 9 * memory }),
    ];
  };

  it('are listed at once, summed by name, with percent of one processor', async () => {
    await sendOtlp(
      ...ofProcess(7, 'web', 0, 1, 10),
      ...ofProcess(9, 'web', 0, 1, 20),
      ...ofProcess(1, 'db', 0, 1, 5),
    );
    await sendOtlp(
      ...ofProcess(9, 'web', 10, 2, 21),
      ...ofProcess(7, 'web', 10, 1.5, 11),
      ...ofProcess(8, 'new', 10, 1, 4),
    );
    expect(lists()).toEqual([
      {
        at: 0,
        processes: [
          { name: 'web', pid: 7, memory_rss: 30 },
          { name: 'db', pid: 1, memory_rss: 5 },
        ],
        counts: { names: ['web', 'db'], counts: [2, 1] },
      },
      {
        at: 10,
        processes: [
          { name: 'web', pid: 7, cpu_percent: 30, memory_rss: 32 },
          { name: 'new', pid: 8, memory_rss: 4 },
        ],
        counts: { names: ['web', 'new'], counts: [2, 1] },
      },
    ]);
  });

  it('are one list where they come in several requests of one time, and the same where one comes again', async () => {
    await sendOtlp(...ofProcess(1, 'db', 0, 1, 5));
    await sendOtlp(...ofProcess(2, 'web', 0, 1, 6));
    await sendOtlp(...ofProcess(1, 'db', 0, 1, 5));
    const whole = [expect.objectContaining({ name: 'web' }), expect.objectContaining({ name: 'db' })];
    expect(lists().map(({ processes }) => processes?.length)).toEqual([1, 2, 2]);
    expect(lists().at(-1)?.processes).toEqual(expect.arrayContaining(whole));
  });

  it('have the rates of a request that was not stored when it comes again', async () => {
    await sendOtlp(...ofProcess(1, 'db', 0, 1, 5));
    gateway.fail(new Error('the database is away'));
    const body = JSON.stringify({ resourceMetrics: ofProcess(1, 'db', 10, 3, 5) });
    const refused = await fetch(`${gateway.url}/v1/metrics`, {
      method: 'POST',
      body,
      headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' },
    });
    await refused.arrayBuffer();
    gateway.fail(null);
    await post('/v1/metrics', body, { 'Content-Type': 'application/json' });
    expect(refused.status).toBe(503);
    expect(lists().at(-1)?.processes).toEqual([{ name: 'db', pid: 1, cpu_percent: 40, memory_rss: 5 }]);
  });

  it('are those that use most, and all are counted', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `p${index}`);
    await sendOtlp(...names.flatMap((name, index) => ofProcess(index + 1, name, 0, 1, index)));
    await sendOtlp(...names.flatMap((name, index) => ofProcess(index + 1, name, 10, 101 - index, index)));
    const { processes = [], counts } = lists().at(-1) ?? {};
    expect(processes.map(({ name }) => name).toSorted()).toEqual(
      [...names.slice(0, 20), ...names.slice(-20)].toSorted(),
    );
    expect(counts?.names).toHaveLength(100);
  });

  it('are left out where they have no name, and stay parts where they are services', async () => {
    await sendOtlp(resourceOf({ 'process.pid': 1 }, 0, { 'process.memory.usage': 5 }));
    expect(payloads()).toEqual([]);
    await sendOtlp(
      resourceOf({ 'process.pid': 1, 'service.name': 'shop' }, 0, { 'process.memory.usage': 5 }),
    );
    expect(payloads().map(({ parts, processes }) => [parts?.shape.names[0], processes])).toEqual([
      ['shop', undefined],
    ]);
  });

  it('of a captured Collector are listed with what they use', async () => {
    for (const index of [1, 2]) {
      const folder = new URL('captures/otel-processes/', import.meta.url);
      const { path, headers } = JSON.parse(readFileSync(new URL(`${index}.json`, folder), 'utf8'));
      await post(path, readFileSync(new URL(`${index}.bin`, folder)), headers);
    }
    const [first, second] = payloads();
    expect(first?.processes?.map(({ name }) => name).toSorted()).toEqual(['otelcol', 'sleep']);
    expect(second?.processCounts).toEqual({ names: ['sleep', 'otelcol'], counts: [4, 1] });
    const collector = second?.processes?.find(({ name }) => name === 'otelcol');
    expect(collector?.memory_rss).toBeGreaterThan(20_000_000);
    expect(collector?.cpu_percent).toBeGreaterThan(0);
    expect(collector?.cpu_percent).toBeLessThan(200);
  });
});

describe('containers', () => {
  const docker = (name: string, seconds: number, cpu: number, received: number) => {
    const resource = {
      'container.name': name,
      'container.id': `id-${name}`,
      'container.image.name': 'shop:1',
    };
    return [
      resourceOf(resource, seconds, {
        'container.cpu.utilization': cpu,
        'container.cpu.usage.total': [seconds * 1e9],
        'container.memory.usage.total': 50,
        'container.memory.usage.limit': 200,
        'container.memory.active_file': 1,
      }),
      resourceOf(
        resource,
        seconds,
        { 'container.network.io.usage.rx_bytes': [received] },
        { interface: 'eth0' },
      ),
      resourceOf(
        resource,
        seconds,
        { 'container.network.io.usage.rx_bytes': [received] },
        { interface: 'eth1' },
      ),
    ];
  };

  it("of the Collector's docker_stats are listed with what they use, as long as they run", async () => {
    await sendOtlp(...docker('api', 0, 3, 0), ...docker('db', 0, 4, 0));
    await sendOtlp(...docker('api', 10, 5, 1_000));
    const api = {
      name: 'api',
      id: 'id-api',
      image: 'shop:1',
      status: 'running',
      running: 1,
      memory_usage: 50,
      memory_limit: 200,
      memory_percent: 25,
    };
    expect(lists()).toEqual([
      {
        at: 0,
        containers: [
          { ...api, cpu_percent: 3 },
          { ...api, name: 'db', id: 'id-db', cpu_percent: 4 },
        ],
      },
      { at: 10, containers: [{ ...api, cpu_percent: 5, network_receive_bytes_per_second: 200 }] },
    ]);
  });

  it("of the Collector's kubeletstats have the name of their pod", async () => {
    const resource = { 'k8s.namespace.name': 'shop', 'k8s.pod.name': 'api-1', 'k8s.container.name': 'api' };
    await sendOtlp(
      resourceOf(resource, 0, { 'container.cpu.usage': 0.25, 'container.memory.working_set': 70 }),
    );
    expect(lists()[0]?.containers).toMatchObject([
      { name: 'shop/api-1/api', cpu_percent: 25, memory_usage: 70 },
    ]);
  });

  it("of Telegraf's docker stay listed while they come in several requests", async () => {
    const at = (seconds: number) => `${NOW / 1_000 + seconds}000000000`;
    const tags = (name: string, status = 'running') =>
      `host=${host},container_name=${name},container_image=shop,container_version=1,container_status=${status}`;
    await post(
      '/write',
      [
        `docker_container_cpu,${tags('api')},cpu=cpu-total usage_percent=5,usage_total=9i ${at(0)}`,
        `docker_container_cpu,${tags('api')},cpu=cpu0 usage_total=9i ${at(0)}`,
        `docker_container_net,${tags('api')},network=total rx_bytes=100i ${at(0)}`,
        `docker_container_net,${tags('api')},network=eth0 rx_bytes=100i ${at(0)}`,
      ].join('\n'),
    );
    await post('/write', `docker_container_mem,${tags('db', 'exited')} usage=7i,limit=0i ${at(1)}`);
    await post('/write', `docker_container_net,${tags('api')},network=total rx_bytes=300i ${at(10)}`);
    expect(lists().at(-1)).toEqual({
      at: 10,
      containers: [
        {
          name: 'api',
          image: 'shop:1',
          status: 'running',
          running: 1,
          network_receive_bytes_per_second: 20,
        },
        { name: 'db', image: 'shop:1', status: 'exited', running: 0 },
      ],
    });
    expect(lists()[0]?.containers).toMatchObject([{ name: 'api', cpu_percent: 5 }]);
    expect(lists()[1]?.containers).toMatchObject([{ name: 'api' }, { name: 'db', memory_usage: 7 }]);
  });

  it('of cAdvisor are listed with values that each have a time of their own, without control groups that are none', async () => {
    const id = 'a'.repeat(64);
    const series = (name: string, labels: Record<string, string>, value: number, seconds: number) => ({
      labels: Object.entries({ __name__: name, instance: `${host}:8080`, job: 'cadvisor', ...labels })
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flat(),
      samples: [{ value, timestamp: NOW + seconds * 1_000 }],
    });
    const api = { name: 'api', image: 'shop:1', id: `/system.slice/docker-${id}.scope` };
    const pod = {
      namespace: 'shop',
      pod: 'db-0',
      container: 'db',
      name: 'k8s_db',
      image: 'db:2',
      id: '/kubepods/x',
    };
    for (const seconds of [0, 15]) {
      const body = encodeRequest1([
        series('container_cpu_usage_seconds_total', { ...api, cpu: 'total' }, seconds / 5, seconds),
        series('container_cpu_usage_seconds_total', { ...api, cpu: 'cpu00' }, seconds / 9, seconds),
        series('container_memory_working_set_bytes', pod, 60, seconds + 4),
        series('container_memory_working_set_bytes', { ...pod, container: 'POD' }, 1, seconds + 4),
        series('container_memory_working_set_bytes', { id: '/system.slice' }, 999, seconds + 4),
        series('container_spec_memory_limit_bytes', pod, 120, seconds + 5),
        series('container_tasks_state', { ...api, state: 'running' }, 1, seconds),
      ]);
      await post('/api/v1/write', compressSnappy(body), { 'Content-Type': 'application/x-protobuf' });
    }
    expect(lists().map(({ at }) => at)).toEqual([5, 20]);
    expect(lists()[1]?.containers).toEqual([
      { name: 'api', id, image: 'shop:1', status: 'running', running: 1, cpu_percent: 20 },
      {
        name: 'shop/db-0/db',
        image: 'db:2',
        status: 'running',
        running: 1,
        memory_usage: 60,
        memory_limit: 120,
        memory_percent: 50,
      },
    ]);
    expect(payloads().flatMap(({ parts }) => parts?.shape.names ?? [])).toEqual([]);
  });

  it('are at most 500 of a host, each name once and within its bounds', async () => {
    const all = Array.from({ length: 600 }, (_, index) =>
      resourceOf({ 'container.id': `i${index}`, 'container.name': `${'n'.repeat(300)}${index}` }, 0, {
        'container.cpu.utilization': index,
      }),
    );
    const others = Array.from({ length: 600 }, (_, index) =>
      resourceOf({ 'container.id': `j${index}`, 'container.name': `c${index}` }, 0, {
        'container.cpu.utilization': index,
      }),
    );
    await sendOtlp(...all, ...others);
    const containers = lists()[0]?.containers ?? [];
    expect(containers).toHaveLength(500);
    expect(new Set(containers.map(({ name }) => name)).size).toBe(500);
    expect(Math.max(...containers.map(({ name }) => name.length))).toBe(255);
  });
});

describe('processes of others', () => {
  it("of Telegraf's procstat are listed by their pid, and without it by their choice", async () => {
    const at = `${NOW / 1_000}000000000`;
    await post(
      '/write',
      [
        `procstat,host=${host},process_name=nginx,exe=nginx,pid=5 cpu_usage=2.5,memory_rss=100i,num_threads=4i ${at}`,
        `procstat,host=${host},process_name=nginx,exe=nginx,pid=6 cpu_usage=1,memory_rss=50i ${at}`,
        `procstat,host=${host},process_name=redis,exe=redis cpu_usage=3,memory_rss=70i,pid=77i ${at}`,
      ].join('\n'),
    );
    expect(lists()).toEqual([
      {
        at: 0,
        processes: [
          { name: 'nginx', pid: 5, cpu_percent: 3.5, memory_rss: 150 },
          { name: 'redis', pid: 0, cpu_percent: 3, memory_rss: 70 },
        ],
        counts: { names: ['nginx', 'redis'], counts: [2, 1] },
      },
    ]);
  });

  it("of collectd's processes have percent of one processor and their number", async () => {
    const values = (type: string, seconds: number, dstype: string, named: Record<string, number>) => ({
      values: Object.values(named),
      dstypes: Object.keys(named).map(() => dstype),
      dsnames: Object.keys(named),
      time: NOW / 1_000 + seconds,
      interval: 10,
      host,
      plugin: 'processes',
      plugin_instance: 'postgres',
      type,
      type_instance: '',
    });
    for (const seconds of [0, 10])
      await post(
        '/collectd',
        JSON.stringify([
          values('ps_cputime', seconds, 'derive', { user: seconds * 300_000, syst: seconds * 100_000 }),
          values('ps_rss', seconds, 'gauge', { value: 4_096 }),
          values('ps_count', seconds, 'gauge', { processes: 6, threads: 8 }),
        ]),
        { 'Content-Type': 'application/json' },
      );
    const { processes = [], counts } = lists().at(-1) ?? {};
    expect(processes).toMatchObject([{ name: 'postgres', pid: 0, memory_rss: 4_096 }]);
    expect(processes[0]?.cpu_percent).toBeCloseTo(40);
    expect(counts).toEqual({ names: ['postgres'], counts: [6] });
  });
});
