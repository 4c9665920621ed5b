import type { HostPart } from '../outputs/host-part.ts';

/** A metric of the host over its parts of one kind. */
export interface PartTotal {
  metric: string;
  kind: string;
  /** The metric of the parts. */
  of: string;
  how: 'sum' | 'max';
  /** Whether a part counts, beside all parts of its kind by name. */
  counts(part: HostPart, names: ReadonlySet<string>): boolean;
}

const PARTITION = /^((?:sd|vd|xvd|hd)[a-z]+)\d+$|^((?:nvme\d+n\d+|mmcblk\d+|nbd\d+))p\d+$/;
const NO_DISK = /^(?:loop|ram|zram|dm-|md|sr|fd)\d*/;
const VIRTUAL_INTERFACE =
  /^(?:lo\d*$|loopback|isatap|teredo|veth|docker|br-|virbr|cali|cni|flannel|vxlan|tun|tap|ifb|kube|lxc|podman|nodelocaldns|dummy|bonding_masters|wg|tailscale)/i;

/** Whether a disk is a whole one: no partition of another one that is there, and no device on other disks. */
export function isWholeDiskName(name: string, names: ReadonlySet<string>): boolean {
  if (NO_DISK.test(name)) return false;
  const [, disk, device] = PARTITION.exec(name) ?? [];
  return !names.has(disk ?? device ?? '');
}

/** Whether traffic of an interface leaves the host, as far as its name says. */
export function isOuterInterfaceName(name: string): boolean {
  return !VIRTUAL_INTERFACE.test(name);
}

/** The types of local file systems that can fill up. */
const LOCAL_TYPES = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'jfs', 'reiserfs', 'bcachefs', 'vfat', 'exfat'],
  ...['ntfs', 'ntfs3', 'fuseblk', 'nilfs2', 'hfsplus', 'ubifs', 'jffs2', 'apfs', 'hfs', 'ufs', 'refs'],
]);

/** Whether a file system is a local one that can fill up; one whose type is not known is, but for those of the kernel. */
export function isMeasuredFileSystem({ name, labels }: HostPart): boolean {
  const type = labels?.type?.toLowerCase();
  // Partitions of Windows without a letter, for its start and its repair.
  if (/^HarddiskVolume\d+$/.test(name)) return false;
  if (type !== undefined) return LOCAL_TYPES.has(type) || (name === '/' && type === 'overlay');
  // Some agents name a file system by its device, such as /dev/sda1.
  return !/^\/(?:(?:run|sys|proc|snap|dev\/(?:shm|mqueue|hugepages|pts))(?:\/|$)|dev$)/.test(name);
}

/** The metrics of a host that its parts make up. */
export const PART_TOTALS: readonly PartTotal[] = [
  {
    metric: 'disk_percent',
    kind: 'filesystem',
    of: 'used_percent',
    how: 'max',
    counts: ({ name }) => name === '/' || name === 'C:',
  },
  {
    metric: 'disk_fullest_percent',
    kind: 'filesystem',
    of: 'used_percent',
    how: 'max',
    counts: () => true,
  },
  ...(['read', 'write'] as const).map(
    (direction): PartTotal => ({
      metric: `disk_${direction}_bytes_per_second`,
      kind: 'disk',
      of: `${direction}_bytes_per_second`,
      how: 'sum',
      counts: ({ name }, names) => isWholeDiskName(name, names),
    }),
  ),
  ...(['receive', 'transmit'] as const).map(
    (direction): PartTotal => ({
      metric: `network_${direction}_bytes_per_second`,
      kind: 'network',
      of: `${direction}_bytes_per_second`,
      how: 'sum',
      counts: ({ name }) => isOuterInterfaceName(name),
    }),
  ),
];
