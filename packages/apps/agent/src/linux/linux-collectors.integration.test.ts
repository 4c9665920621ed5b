import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostCollector } from '../collectors/collector.ts';
import { readCollectors } from '../collectors/read-collectors.ts';
import { createContainerCollector } from '../docker/container-collector.ts';
import { type FileTree, openFileTree } from '../testing/file-tree.harness.ts';
import { linuxCollectors } from './linux-collectors.ts';

let tree: FileTree;
let now: number;
const lines: string[] = [];
const logger = createLogger({ name: 'agent', destination: { write: (line) => void lines.push(line) } });

beforeEach(() => {
  tree = openFileTree();
  now = 1_000;
  lines.length = 0;
});
afterEach(() => tree.remove());

function open(...more: HostCollector[]) {
  return readCollectors({
    collectors: [
      ...linuxCollectors({
        ...tree,
        mountRoot: '/',
        run: async () => undefined,
        monotonic: () => now,
        units: [],
      }),
      ...more,
    ],
    clock: () => 1_700_000_000_000,
    monotonic: () => now,
    timeoutMs: 5_000,
    logger,
  });
}

test('computes rates, gauges and processes from two readings of recorded files', async () => {
  tree.write({
    'proc/stat': 'cpu  100 0 100 800 0 0 0 0 0 0\n',
    'proc/meminfo': 'MemTotal: 1000 kB\nMemAvailable: 400 kB\n',
    'proc/loadavg': '0.50 0.25 0.10 1/1 1\n',
    'proc/net/dev': 'eth0: 1000 0 0 0 0 0 0 0 500 0 0 0 0 0 0 0\n',
    'proc/diskstats': '8 0 sda 0 0 10 0 0 0 20 0 0 0 0\n8 1 sda1 0 0 10 0 0 0 20 0 0 0 0\n',
    'proc/7/stat': `7 (worker) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 10 0`,
    'proc/7/cmdline': 'worker\0',
    'sys/block/sda/dev': '8:0',
  });
  const collector = open(
    createContainerCollector(async () => ({ containers: [{ name: 'api' }], leftOut: 7 })),
  );
  const first = await collector.read();
  expect(first.metrics).toMatchObject({ memory_percent: 60, load_1: 0.5, load_5: 0.25, load_15: 0.1 });
  expect(first.metrics).not.toHaveProperty('cpu_percent');
  expect(first.processes).toEqual([]);

  now += 10_000;
  tree.write({
    'proc/stat': 'cpu  300 0 100 1600 0 0 0 0 0 0\n',
    'proc/net/dev': 'eth0: 3000 0 0 0 0 0 0 0 1500 0 0 0 0 0 0 0\n',
    'proc/diskstats': '8 0 sda 0 0 30 0 0 0 60 0 0 0 0\n8 1 sda1 0 0 30 0 0 0 60 0 0 0 0\n',
    'proc/7/stat': `7 (worker) S 1 7 7 0 -1 0 0 0 0 0 300 200 0 0 20 0 1 0 5 0 10 0`,
  });
  const second = await collector.read();
  expect(second.time).toBe(1_700_000_000_000);
  expect(second.metrics).toMatchObject({
    cpu_percent: 20,
    network_receive_bytes_per_second: 200,
    network_transmit_bytes_per_second: 100,
    disk_read_bytes_per_second: 1024,
    disk_write_bytes_per_second: 2048,
  });
  expect(second.processCounts).toEqual({ worker: 1 });
  expect(second.processes).toEqual([{ name: 'worker', pid: 7, cpu_percent: 50, memory_rss: 40960 }]);
  expect(second.metrics.containers_left_out).toBe(7);
  expect(second.containers).toEqual([{ name: 'api' }]);
});

test('reports disk use alone on a machine without /proc', async () => {
  const collector = open();
  await collector.read();
  const { metrics, processes } = await collector.read();
  expect(Object.keys(metrics)).toEqual(['disk_percent', 'disk_fullest_percent']);
  expect(lines).toEqual([]);
  expect(processes).toEqual([]);
});

test('sums processes by their full names when the kernel truncates the names to the same text', async () => {
  tree.write({ 'proc/stat': '' });
  const stat = (pid: number, name: string, ticks: number) =>
    `${pid} (${name}) S 1 7 7 0 -1 0 0 0 0 0 ${ticks} 0 0 0 20 0 1 0 5 0 10 0`;
  const collector = open();
  const fill = (ticks: number) => {
    for (let pid = 1; pid <= 30; pid += 1)
      for (const [offset, name, program] of [
        [100, 'a-long-name-of-', 'a-long-name-of-one'],
        [200, 'a-long-name-of-', 'a-long-name-of-two'],
        [300, 'MainThread', 'node'],
        [400, 'node', 'node'],
      ] as const)
        tree.write({
          [`proc/${offset + pid}/stat`]: stat(offset + pid, name, ticks),
          [`proc/${offset + pid}/cmdline`]: `/usr/bin/${program}\0`,
        });
  };
  fill(0);
  await collector.read();
  now += 10_000;
  fill(10);
  const sums = new Map<string, number>();
  for (const { name, cpu_percent = 0 } of (await collector.read()).processes)
    sums.set(name, (sums.get(name) ?? 0) + cpu_percent);
  expect([...sums].map(([name, sum]) => [name, Math.round(sum)]).toSorted()).toEqual([
    ['a-long-name-of-one', 30],
    ['a-long-name-of-two', 30],
    ['node', 60],
  ]);
});

test('reports everything else when a file may not be read, and logs that once and when it can be read again', async () => {
  tree.write({ 'proc/loadavg': '1 2 3 1/9 1\n', 'proc/meminfo/is-a-folder': '' });
  const collector = open();
  await collector.read();
  expect((await collector.read()).metrics).toMatchObject({ load_1: 1, threads: 9 });
  expect(collector.failing()).toEqual(['memory']);
  tree.remove();
  tree.write({ 'proc/meminfo': 'MemTotal: 1000 kB\nMemAvailable: 400 kB\n' });
  expect((await collector.read()).metrics).toMatchObject({ memory_percent: 60 });
  expect(collector.failing()).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { collector: 'memory', level: 40 },
    { collector: 'memory', level: 30 },
  ]);
});
