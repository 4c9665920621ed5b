import { expect, test } from 'vitest';
import { measuredMounts } from './mounts.ts';

interface Measured {
  writable: string[];
  readOnly?: string[];
  system: string | null;
}

function measured(lines: string[]): Required<Measured> {
  const { mounts, system } = measuredMounts(lines.map((line) => `${line} 0 0`).join('\n'));
  const points = (wanted: boolean) =>
    mounts.filter(({ isReadOnly }) => isReadOnly === wanted).map(({ point }) => point);
  return { writable: points(false), readOnly: points(true), system };
}

test.each<[string, string[], Measured]>([
  [
    'measures / and other local disks',
    ['/dev/sda1 / ext4 rw,relatime', '/dev/sdb1 /data xfs rw'],
    { writable: ['/', '/data'], system: '/' },
  ],
  ['falls back to / when no mounts are known', [], { writable: ['/'], system: '/' }],
  [
    'decodes a space in a mount point',
    ['/dev/sda1 / ext4 rw', '/dev/sdb1 /mnt/big\\040disk xfs rw'],
    { writable: ['/', '/mnt/big disk'], system: '/' },
  ],
  [
    'measures a device once that is mounted twice',
    ['/dev/sda1 / ext4 rw', '/dev/sda1 /var/lib/docker ext4 rw'],
    { writable: ['/'], system: '/' },
  ],
  [
    'leaves out network, memory and pseudo file systems',
    ['/dev/sda1 / ext4 rw', 'nas:/x /nas nfs4 rw', 'tmpfs /run tmpfs rw', 'proc /proc proc rw'],
    { writable: ['/'], system: '/' },
  ],
  [
    'leaves out the images of snaps',
    ['/dev/sda1 / ext4 rw', '/dev/loop0 /snap/core squashfs ro,nodev'],
    { writable: ['/'], system: '/' },
  ],
  [
    'uses /var as the system where the root is a read-only image',
    [
      'overlay / overlay ro,relatime',
      '/dev/sda4 /sysroot ext4 ro',
      '/dev/sda4 /var ext4 rw',
      '/dev/sda3 /boot ext4 rw',
    ],
    { writable: ['/var', '/boot'], system: '/var' },
  ],
  [
    'recognizes a read-only image by its file system type',
    ['/dev/root / erofs rw', '/dev/sda2 /var ext4 rw'],
    { writable: ['/var'], system: '/var' },
  ],
  [
    'measures nothing where the root is read-only and no disk is writable',
    ['tmpfs / tmpfs ro', 'tmpfs /tmp tmpfs rw'],
    { writable: [], system: null },
  ],
  ['measures a writable overlay as the system', ['overlay / overlay rw'], { writable: ['/'], system: '/' }],
  [
    'measures / in a read-only container, whose overlay is on a disk of the machine',
    [
      'overlay / overlay ro,relatime,lowerdir=/docker/l/A,upperdir=/docker/1/diff,workdir=/docker/1/work',
      '/dev/sda1 /etc/hosts ext4 ro,relatime',
      '/dev/sda1 /var/lib/tidewatch-agent ext4 ro,relatime',
    ],
    { writable: ['/'], readOnly: ['/etc/hosts'], system: '/' },
  ],
  [
    'measures no system where the root is an overlay of images alone',
    ['overlay / overlay ro,relatime,lowerdir=/run/image::/run/objects'],
    { writable: [], system: null },
  ],
  [
    'leaves out a mount point that another mount hides',
    ['/dev/sda1 / ext4 rw', '/dev/sdb1 /data ext4 rw', 'nas:/x /data nfs rw'],
    { writable: ['/'], system: '/' },
  ],
  [
    'leaves out mounts below a mount point that another mount hides',
    [
      '/dev/sda1 / ext4 rw',
      '/dev/sdb1 /data/a ext4 rw',
      '/dev/sdc1 /data ext4 rw',
      '/dev/sdd1 /database ext4 rw',
    ],
    { writable: ['/', '/data', '/database'], system: '/' },
  ],
  [
    'keeps mounts from before the root was mounted',
    ['rootfs / rootfs rw', '/dev/sdb1 /usr ext4 rw', '/dev/sda1 / ext4 rw'],
    { writable: ['/usr', '/'], system: '/' },
  ],
  [
    'measures no system where the root is read-only and /var is on it',
    ['/dev/sda1 / ext4 ro', '/dev/sdb1 /data ext4 rw'],
    { writable: ['/data'], readOnly: ['/'], system: null },
  ],
  [
    'says that a file system is read-only where none of its mounts can be written',
    [
      '/dev/sda1 / ext4 rw',
      '/dev/sdb1 /data xfs ro',
      '/dev/sdb1 /copy xfs ro',
      '/dev/sdc1 /safe ext4 rw,emergency_ro',
      '/dev/sdd1 /view ext4 ro',
      '/dev/sdd1 /home ext4 rw',
    ],
    { writable: ['/', '/home'], readOnly: ['/data', '/safe'], system: '/' },
  ],
])('measuredMounts %s', (_, lines, wanted) => {
  expect(measured(lines)).toEqual({ readOnly: [], ...wanted });
});

test('takes a file system as writable that only the unit of the agent sees read-only', () => {
  const own = '/dev/sda1 / ext4 ro 0 0\n/dev/sdb1 /data xfs ro 0 0\n/dev/sdc1 /archive xfs ro 0 0';
  const initial = '/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /data xfs rw 0 0\n/dev/sdc1 /archive xfs ro 0 0';
  const { mounts, system } = measuredMounts(own, initial);
  expect(mounts.map(({ point, isReadOnly }) => [point, isReadOnly])).toEqual([
    ['/', false],
    ['/data', false],
    ['/archive', true],
  ]);
  expect(system).toBe('/');
});
