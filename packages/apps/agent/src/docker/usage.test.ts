import { expect, test } from 'vitest';
import { ContainerDetails } from './container-details.ts';
import { parseStatus } from './container-status.ts';
import {
  containerCpuPercent,
  distinctNames,
  memoryUsage,
  STOPPED,
  selectReported,
  toContainer,
  transferCounters,
} from './usage.ts';

test('computes the processor use of a container as percent of one core', () => {
  expect(containerCpuPercent({ used: 1_000_000_000, at: 0 }, { used: 6_000_000_000, at: 10_000 })).toBe(50);
});
test.each([
  ['at the first reading', undefined, { used: 1, at: 1 }],
  ['after a restart of the container', { used: 9, at: 0 }, { used: 1, at: 1 }],
  ['while no time has passed', { used: 1, at: 1 }, { used: 2, at: 1 }],
])('leaves out the processor use of a container %s', (_, before, after) =>
  expect(containerCpuPercent(before, after)).toBeUndefined(),
);

test('subtracts reclaimable page cache from the memory of a container, for cgroup v1 and v2', () => {
  expect(memoryUsage({ memory_stats: { usage: 100, stats: { inactive_file: 30 } } })).toBe(70);
  expect(memoryUsage({ memory_stats: { usage: 100, stats: { total_inactive_file: 40 } } })).toBe(60);
  const both = { inactive_file: 5, total_inactive_file: 40 };
  expect(memoryUsage({ memory_stats: { usage: 100, stats: both } })).toBe(60);
  expect(memoryUsage({ memory_stats: {} })).toBeUndefined();
});

test('converts a container of the Docker API to the form that ingest accepts', () => {
  const listed = { Id: 'abcdef0123456789', Names: ['/api'], Image: 'shop/api:1.4.2', State: 'running' };
  expect(toContainer(listed, { name: 'api', stats: { memory_stats: { usage: 5 } }, cpu: 12.5 })).toEqual({
    name: 'api',
    id: 'abcdef0123456789',
    image: 'shop/api:1.4.2',
    status: 'running',
    running: 1,
    cpu_percent: 12.5,
    memory_usage: 5,
  });
  expect(toContainer({ Id: 'abcdef01' }, { name: 'x', stats: undefined, cpu: undefined })).toEqual({
    name: 'x',
    id: 'abcdef01',
  });
});

test('selects running and paused containers first where not all can be reported', () => {
  const container = (name: string, State: string) => ({ Id: name, Names: [`/${name}`], State });
  const listed = [container('a', 'exited'), container('b', 'running'), container('c', 'paused')];
  expect(selectReported(listed, 2).map(({ Id }) => Id)).toEqual(['b', 'c']);
  expect(selectReported(listed, 3).map(({ Id }) => Id)).toEqual(['a', 'b', 'c']);
});

test.each([
  [['/hydra/sab', '/sab'], 'sab'],
  [['/sab', '/hydra/sab'], 'sab'],
  [['/only/link'], 'only/link'],
])('reports a container with the names %j as %s', (Names, name) => {
  expect([...distinctNames([{ Id: 'x', Names }]).values()]).toEqual([name]);
});

test('gives containers of one name a name each, the plain one to the newest that runs', () => {
  const long = 'x'.repeat(255);
  const entry = (Id: string, name: string, State: string, Created: number) => ({
    Id: Id.repeat(16),
    Names: [`/${name}`],
    State,
    Created,
  });
  const listed = [
    entry('a', 'pod', 'exited', 9),
    entry('b', 'pod', 'running', 5),
    entry('c', 'pod', 'running', 7),
    entry('d', long, 'running', 1),
    entry('e', `${long}y`, 'running', 2),
    { Id: 'f'.repeat(16) },
  ];
  const names = distinctNames(listed);
  expect(listed.map((each) => names.get(each))).toEqual([
    'pod-aaaaaaaaaaaa',
    'pod-bbbbbbbbbbbb',
    'pod',
    `${'x'.repeat(242)}-dddddddddddd`,
    long,
    'ffffffffffff',
  ]);
});

test('has limit, health, restarts and the end of a container where the engine says them', () => {
  const listed = { Id: 'a', Image: 'i', State: 'running', Status: 'Up 2 hours (unhealthy)' };
  const stats = { memory_stats: { usage: 500, limit: 2000 } };
  const details = { RestartCount: 3, State: { ExitCode: 0, OOMKilled: false }, HostConfig: { Memory: 1000 } };
  const rates = new Map([['block_read_bytes_per_second', 1.239]]);
  expect(toContainer(listed, { name: 'api', stats, cpu: undefined, details, rates })).toEqual({
    name: 'api',
    id: 'a',
    image: 'i',
    status: 'running',
    running: 1,
    health: 'unhealthy',
    unhealthy: 1,
    memory_usage: 500,
    memory_limit: 2000,
    memory_percent: 25,
    block_read_bytes_per_second: 1.24,
    restart_count: 3,
    oom_killed: 0,
  });
  const killed = { State: { ExitCode: 137, OOMKilled: true }, HostConfig: { Memory: 0 } };
  const ended = { ...listed, State: 'exited', Status: 'Exited (137) 5 minutes ago' };
  const facts = { name: 'api', stats: STOPPED, cpu: 0, details: killed };
  expect(toContainer(ended, facts)).toMatchObject({ exit_code: 137, oom_killed: 1, memory_usage: 0 });
  expect(toContainer(ended, facts)).not.toHaveProperty('memory_limit');
});

test('sums the traffic of all networks of a container and the bytes of all its devices', () => {
  const counters = transferCounters({
    networks: { eth0: { rx_bytes: 1, tx_bytes: 2 }, eth1: { rx_bytes: 10, tx_bytes: 20 } },
    blkio_stats: {
      io_service_bytes_recursive: [
        { op: 'read', value: 5 },
        { op: 'Read', value: 6 },
        { op: 'Write', value: 7 },
        { op: 'Total', value: 18 },
      ],
    },
  });
  expect(Object.fromEntries(counters)).toEqual({
    network_receive_bytes_per_second: 11,
    network_transmit_bytes_per_second: 22,
    block_read_bytes_per_second: 11,
    block_write_bytes_per_second: 7,
  });
  expect(transferCounters({ blkio_stats: { io_service_bytes_recursive: null } }).size).toBe(0);
});

test.each([
  ['Up Less than a second', 0, undefined],
  ['Up 45 seconds (health: starting)', 45, 'starting'],
  ['Up About a minute (healthy)', 60, 'healthy'],
  ['Up About an hour', 3_600, undefined],
  ['Up 3 days (Paused)', 259_200, undefined],
  ['Exited (137) 5 minutes ago', 300, undefined],
  ['Restarting (1) 2 weeks ago', 1_209_600, undefined],
  ['Created', undefined, undefined],
])('reads age and health from the status %j', (status, ageSeconds, health) => {
  expect(parseStatus(status)).toEqual({ ageSeconds, health });
});

test('inspects a container when it is new, changes its state, or began again since the previous reading', async () => {
  const details = new ContainerDetails();
  let inspected = 0;
  const look = async (at: number, State: string, Status: string) => {
    inspected = 0;
    details.begin(at);
    const inspect = async () => {
      inspected += 1;
      return { RestartCount: at };
    };
    return [(await details.of({ Id: 'a', State, Status }, inspect))?.RestartCount, inspected];
  };
  expect(await look(0, 'running', 'Up 2 hours')).toEqual([0, 1]);
  expect(await look(10_000, 'running', 'Up 2 hours')).toEqual([0, 0]);
  expect(await look(20_000, 'running', 'Up 5 seconds')).toEqual([20_000, 1]);
  expect(await look(30_000, 'running', 'Up 4 seconds')).toEqual([30_000, 1]);
  expect(await look(60_000, 'running', 'Up 45 seconds')).toEqual([30_000, 0]);
  expect(await look(70_000, 'exited', 'Exited (1) 20 seconds ago')).toEqual([70_000, 1]);
  details.begin(80_000);
  expect(await look(90_000, 'exited', 'Exited (1) 40 seconds ago')).toEqual([90_000, 1]);
});

test('keeps what it knew of a container that cannot be inspected', async () => {
  const details = new ContainerDetails();
  const entry = { Id: 'a', State: 'running', Status: 'Up 5 seconds' };
  const failing = () => Promise.reject(new Error('slow'));
  details.begin(0);
  expect(await details.of(entry, failing)).toBeUndefined();
  expect(await details.of(entry, async () => ({ RestartCount: 4 }))).toEqual({ RestartCount: 4 });
  details.begin(10_000);
  expect(await details.of(entry, failing)).toEqual({ RestartCount: 4 });
});
