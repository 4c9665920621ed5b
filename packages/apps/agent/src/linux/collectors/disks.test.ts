import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FoundPart } from '../../collectors/collector.ts';
import { type FileTree, openFileTree } from '../../testing/file-tree.harness.ts';
import { createDiskCollector } from './disks.ts';

let tree: FileTree;
beforeEach(() => {
  tree = openFileTree();
});
afterEach(() => tree.remove());

/** Makes the folder of a block device, with what lies below it. */
function addDisk(name: string, files: Record<string, string> = {}, slaves: string[] = []): void {
  const all = Object.entries({ size: '2048', ...files }).map(([file, text]) => [
    `sys/block/${name}/${file}`,
    text,
  ]);
  tree.write(Object.fromEntries(all));
  for (const slave of slaves) tree.write({ [`sys/block/${name}/slaves/${slave}`]: '' });
}

/** A line of /proc/diskstats: reads, sectors read, ms of reads, writes, sectors written, ms of writes, busy and queue ms. */
const line = (
  name: string,
  r: number,
  rs: number,
  rt: number,
  w: number,
  ws: number,
  wt: number,
  busy: number,
  queue: number,
) => `8 0 ${name} ${r} 0 ${rs} ${rt} ${w} 0 ${ws} ${wt} 0 ${busy} ${queue}\n`;

async function readTwice(before: string, after: string): Promise<FoundPart[]> {
  const collector = createDiskCollector(tree);
  tree.write({ 'proc/diskstats': before });
  await collector.read(0);
  tree.write({ 'proc/diskstats': after });
  return (await collector.read(10_000)).parts ?? [];
}

test('reports traffic, operations, waiting time and utilization of a disk between two readings', async () => {
  addDisk('sda', { 'device/model': 'FAST 1T   \n', 'queue/rotational': '0\n', size: '4096' });
  const parts = await readTwice(
    line('sda', 100, 1_000, 50, 200, 2_000, 70, 500, 900),
    line('sda', 150, 3_000, 250, 300, 6_000, 570, 5_500, 2_900),
  );
  expect(parts).toEqual([
    {
      kind: 'disk',
      name: 'sda',
      labels: { model: 'FAST 1T', type: 'ssd' },
      metrics: {
        size_bytes: 4096 * 512,
        read_bytes_per_second: 200 * 512,
        write_bytes_per_second: 400 * 512,
        read_operations_per_second: 5,
        write_operations_per_second: 10,
        read_await_ms: 4,
        write_await_ms: 5,
        await_ms: 700 / 150,
        utilization_percent: 50,
        queue_length: 0.2,
      },
    },
  ]);
});

test('says at the first reading that a disk exists, without rates, and that an idle one does not wait', async () => {
  addDisk('sda');
  tree.write({ 'proc/diskstats': line('sda', 9, 9, 9, 9, 9, 9, 9, 9) });
  const collector = createDiskCollector(tree);
  expect((await collector.read(0)).parts).toEqual([
    { kind: 'disk', name: 'sda', labels: { model: '' }, metrics: { size_bytes: 2048 * 512 } },
  ]);
  const [idle] = (await collector.read(10_000)).parts ?? [];
  expect(idle?.metrics).toMatchObject({ await_ms: 0, utilization_percent: 0 });
});

test('reports a multipath disk once, by its name, with the state of its paths', async () => {
  for (const [path, state] of [
    ['sda', 'running'],
    ['sdb', 'offline'],
  ] as const)
    addDisk(path, { 'device/wwid': 'naa.1', 'device/state': `${state}\n`, 'device/model': 'LUN\n' });
  addDisk('dm-0', { 'dm/uuid': 'mpath-3600\n', 'dm/name': 'mpatha\n' }, ['sda', 'sdb']);
  addDisk('dm-1', { 'dm/uuid': 'LVM-x\n', 'dm/name': 'vg-root\n' }, ['dm-0']);
  const stats = (count: number) =>
    ['sda', 'sdb'].map((name) => line(name, count, 0, 0, 0, 0, 0, 0, 0)).join('') +
    line('dm-0', 2 * count, 0, 0, 0, 0, 0, 0, 0) +
    line('dm-1', 2 * count, 0, 0, 0, 0, 0, 0, 0);
  const parts = await readTwice(stats(0), stats(100));
  expect(parts).toMatchObject([
    {
      name: 'mpatha',
      labels: { model: 'LUN' },
      metrics: { read_operations_per_second: 20, paths: 2, paths_running: 1 },
    },
  ]);
});

test('reports paths with one identifier and size as one disk, and disks that only share an identifier apart', async () => {
  addDisk('sda', { 'device/wwid': 'naa.1' });
  addDisk('sdb', { 'device/wwid': 'naa.1' });
  addDisk('sdc', { 'device/wwid': 'naa.1', size: '4096' });
  addDisk('sdd', { 'device/wwid': 'naa.2' });
  addDisk('sde', { size: '0' });
  const stats = (count: number) =>
    ['sda', 'sdb', 'sdc', 'sdd', 'sde'].map((name) => line(name, count, count, 0, 0, 0, 0, 1, 0)).join('');
  const parts = await readTwice(stats(10), stats(110));
  const byName = new Map(parts.map(({ name, metrics }) => [name, metrics]));
  expect([...byName.keys()].toSorted()).toEqual(['sda', 'sdc', 'sdd']);
  expect(byName.get('sda')).toMatchObject({ read_operations_per_second: 20, paths: 2 });
  expect(byName.get('sdd')).not.toHaveProperty('paths');
});
