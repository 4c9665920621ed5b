import { statfsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileTree, openFileTree } from '../../testing/file-tree.harness.ts';
import { createFileSystemCollector } from './filesystems.ts';

let tree: FileTree;
beforeEach(() => {
  tree = openFileTree();
});
afterEach(() => tree.remove());

test('reports each local file system with size, inodes and whether it is read-only, from what the system says', async () => {
  tree.write({
    'proc/self/mounts': `/dev/vda / ext4 rw 0 0\n/dev/vdb ${tree.root} xfs ro 0 0\nnas:/x /nas nfs4 rw 0 0\n`,
  });
  const { parts = [], metrics } = await createFileSystemCollector(tree).read(0);
  const { bsize, blocks, bfree, bavail, files, ffree } = statfsSync('/');
  const root = parts.find(({ name }) => name === '/');
  expect(root).toMatchObject({ kind: 'filesystem', labels: { type: 'ext4', device: '/dev/vda' } });
  expect(root?.metrics).toMatchObject({ size_bytes: blocks * bsize, inodes_total: files, read_only: 0 });
  // Other processes of the machine write meanwhile.
  const near = (value = 0, wanted: number) => Math.abs(value - wanted) / wanted;
  expect(near(root?.metrics.used_bytes, (blocks - bfree) * bsize)).toBeLessThan(0.05);
  expect(near(root?.metrics.available_bytes, bavail * bsize)).toBeLessThan(0.05);
  expect(near(root?.metrics.inodes_used, files - ffree)).toBeLessThan(0.05);
  expect(parts.map(({ name }) => name).toSorted()).toEqual(['/', tree.root]);
  expect(parts.find(({ name }) => name === tree.root)?.metrics.read_only).toBe(1);
  expect(metrics).toEqual({
    disk_percent: root?.metrics.used_percent,
    disk_fullest_percent: root?.metrics.used_percent,
  });
});

test('in a container it reports the mounts of the host where its root is mounted', async () => {
  tree.write({
    'proc/self/mounts': 'overlay / overlay rw 0 0\n',
    'proc/1/mounts': '/dev/vda / ext4 rw 0 0\n/dev/vdb /data xfs rw 0 0\n/dev/vdc /gone xfs rw 0 0\n',
    'data/file': '',
  });
  const { parts = [], metrics } = await createFileSystemCollector({ ...tree, mountRoot: tree.root }).read(0);
  expect(parts.map(({ name }) => name).toSorted()).toEqual(['/', '/data']);
  expect(metrics?.disk_percent).toBeGreaterThan(0);
});

test('reports nothing of a mount point that has gone', async () => {
  tree.write({ 'proc/self/mounts': '/dev/vda /nowhere/at/all ext4 rw 0 0\n' });
  const { parts = [] } = await createFileSystemCollector(tree).read(0);
  expect(parts.map(({ name }) => name)).toEqual(['/']);
});
