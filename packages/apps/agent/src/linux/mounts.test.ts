import { expect, test } from 'vitest';
import { type MeasuredMounts, measuredMounts } from './mounts.ts';

const measured = (...lines: string[]) => measuredMounts(lines.map((line) => `${line} 0 0`).join('\n'));

test.each<[string, string[], MeasuredMounts]>([
  [
    'a usual machine',
    ['/dev/sda1 / ext4 rw,relatime', '/dev/sdb1 /data xfs rw'],
    { writable: ['/', '/data'], system: '/' },
  ],
  ['nothing known', [], { writable: [], system: '/' }],
  [
    'a space in a name',
    ['/dev/sda1 / ext4 rw', '/dev/sdb1 /mnt/big\\040disk xfs rw'],
    { writable: ['/', '/mnt/big disk'], system: '/' },
  ],
  [
    'the same device twice',
    ['/dev/sda1 / ext4 rw', '/dev/sda1 /var/lib/docker ext4 rw'],
    { writable: ['/'], system: '/' },
  ],
  [
    'network, memory and pseudo file systems',
    ['/dev/sda1 / ext4 rw', 'nas:/x /nas nfs4 rw', 'tmpfs /run tmpfs rw', 'proc /proc proc rw'],
    { writable: ['/'], system: '/' },
  ],
  [
    'images of snaps',
    ['/dev/sda1 / ext4 rw', '/dev/loop0 /snap/core squashfs ro,nodev'],
    { writable: ['/'], system: '/' },
  ],
  [
    'a read-only image as root, and what changes apart',
    [
      'overlay / overlay ro,relatime',
      '/dev/sda4 /sysroot ext4 ro',
      '/dev/sda4 /var ext4 rw',
      '/dev/sda3 /boot ext4 rw',
    ],
    { writable: ['/var', '/boot'], system: '/var' },
  ],
  [
    'a root that is an image by its type',
    ['/dev/root / erofs rw', '/dev/sda2 /var ext4 rw'],
    { writable: ['/var'], system: '/var' },
  ],
  [
    'a read-only root of memory, with nothing that may fill up',
    ['tmpfs / tmpfs ro', 'tmpfs /tmp tmpfs rw'],
    { writable: [], system: null },
  ],
  ['a root of memory that may be written', ['overlay / overlay rw'], { writable: [], system: '/' }],
  [
    'a point that is mounted over',
    ['/dev/sda1 / ext4 rw', '/dev/sdb1 /data ext4 rw', 'nas:/x /data nfs rw'],
    { writable: ['/'], system: '/' },
  ],
  [
    'what lies below a point that is mounted over',
    [
      '/dev/sda1 / ext4 rw',
      '/dev/sdb1 /data/a ext4 rw',
      '/dev/sdc1 /data ext4 rw',
      '/dev/sdd1 /database ext4 rw',
    ],
    { writable: ['/', '/data', '/database'], system: '/' },
  ],
  [
    'what was mounted before the root',
    ['rootfs / rootfs rw', '/dev/sdb1 /usr ext4 rw', '/dev/sda1 / ext4 rw'],
    { writable: ['/usr', '/'], system: '/' },
  ],
  [
    'a root that was mounted read-only later',
    ['/dev/sda1 / ext4 ro', '/dev/sdb1 /data ext4 rw'],
    { writable: ['/data'], system: null },
  ],
])('%s', (_, lines, wanted) => {
  expect(measured(...lines)).toEqual(wanted);
});
