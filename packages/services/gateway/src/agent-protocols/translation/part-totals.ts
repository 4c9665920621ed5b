import { type Computed, type HostPart, INPUT_GONE_MS, type Output, presenceOf } from './output.ts';

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

/** A metric of a host over its parts. */
export class TotalOfParts implements Computed {
  readonly rank = 0;
  readonly output: Output;
  group = 0;
  readonly #total: PartTotal;
  /** The outputs of all parts of the kind, by the name of their part. */
  readonly #candidates = new Map<string, Output>();
  #inputs: Output[] = [];

  constructor(total: PartTotal, output: Output) {
    this.#total = total;
    this.output = output;
  }

  /** Adds the metric of a part. */
  link(part: HostPart, input: Output): void {
    this.#candidates.set(part.name, input);
    input.feed(this);
    this.#choose();
  }

  unlink(input: Output): void {
    const name = input.part?.name ?? '';
    if (this.#candidates.get(name) !== input) return;
    this.#candidates.delete(name);
    this.#choose();
  }

  /** Which parts count depends on all that are there. */
  #choose(): void {
    const names = new Set(this.#candidates.keys());
    this.#inputs = [...this.#candidates.values()].filter((each) =>
      this.#total.counts(each.part as HostPart, names),
    );
  }

  compute(time: number, stepMs: number): number | undefined {
    if (this.output.rank < this.rank && Math.abs(time - this.output.time) <= INPUT_GONE_MS) return undefined;
    let total: number | undefined;
    for (const input of this.#inputs) {
      const presence = presenceOf(input, time, stepMs);
      if (presence === 'expected') return undefined;
      if (presence === 'gone') continue;
      if (total === undefined) total = input.value;
      else total = this.#total.how === 'sum' ? total + input.value : Math.max(total, input.value);
    }
    return total;
  }
}
