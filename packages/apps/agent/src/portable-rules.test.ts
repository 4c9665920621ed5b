import { expect, test } from 'vitest';
import { borderOf, diskMetrics, type PortableMount } from './portable-rules.ts';

const mount = (point: string, type: string, use: number, rw: boolean | null = true): PortableMount => ({
  fs: point,
  type,
  mount: point,
  size: 100,
  use,
  rw,
});

test.each<[string, PortableMount[], string, [number | undefined, number | undefined]]>([
  ['measures local disks', [mount('/', 'ufs', 40), mount('/data', 'zfs', 70)], '/', [40, 70]],
  [
    'measures the data volume and not the system image on macOS',
    [mount('/', 'APFS', 99, false), mount('/System/Volumes/Data', 'APFS', 60)],
    '/',
    [60, 60],
  ],
  [
    'leaves out network shares, pseudo file systems and images',
    [
      mount('/', 'HFS', 10),
      mount('/n', 'nfs', 100),
      mount('/dev', 'devfs', 100),
      mount('/i', 'HFS', 100, false),
    ],
    '/',
    [10, 10],
  ],
  [
    'leaves out an optical disc on Windows',
    [mount('C:', 'NTFS', 30), mount('D:', 'CDFS', 100)],
    'C:',
    [30, 30],
  ],
  ['reports nothing where no local disk is known', [mount('/', 'nfs', 50)], '/', [undefined, undefined]],
])('diskMetrics %s', (_, mounts, root, [disk_percent, disk_fullest_percent]) => {
  expect(diskMetrics(mounts, root)).toEqual({ disk_percent, disk_fullest_percent });
});

test.each([
  [
    ['lo0', 'en0', 'en1', 'bridge0', 'utun3', 'awdl0', 'bond0', 'vlan0'],
    ['en0', 'en1'],
  ],
  [
    ['Ethernet', 'Wi-Fi', 'vEthernet (WSL)', 'Loopback Pseudo-Interface 1'],
    ['Ethernet', 'Wi-Fi'],
  ],
  [['lo0', 'utun0'], ['utun0']],
])('the portable collector counts, of the interfaces %j, the traffic of %j', (names, wanted) => {
  expect(borderOf(names.map((iface) => ({ iface }))).map(({ iface }) => iface)).toEqual(wanted);
});
