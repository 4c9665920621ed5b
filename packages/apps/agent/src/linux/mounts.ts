/** A line of /proc/self/mounts. */
interface Mount {
  device: string;
  point: string;
  type: string;
  isWritable: boolean;
  /** Whether it is an overlay with a writable layer, whose file system statfs measures. */
  hasUpperLayer: boolean;
}

/** A file system whose use is measured. */
export interface LocalMount {
  device: string;
  point: string;
  type: string;
  /** Whether no mount of the file system can be written. */
  isReadOnly: boolean;
}

/** The mounts whose use is measured. */
export interface MeasuredMounts {
  /** The local file systems, each device once, at a writable mount where there is one; and that of `system`. */
  mounts: LocalMount[];
  /** The mount point that `disk_percent` measures; null if the system is on no file system that can fill up. */
  system: string | null;
}

const OCTAL_ESCAPE = /\\([0-7]{3})/g;
// The types of local file systems; statfs of a network mount blocks for minutes while its server is down.
const LOCAL_TYPES = new Set([
  'ext2',
  'ext3',
  'ext4',
  'xfs',
  'btrfs',
  'zfs',
  'f2fs',
  'jfs',
  'reiserfs',
  'bcachefs',
  'vfat',
  'exfat',
  'ntfs',
  'ntfs3',
  'fuseblk',
  'nilfs2',
  'hfsplus',
  'ubifs',
  'jffs2',
]);
/** Types of file systems that are always full. */
const READ_ONLY_TYPES = new Set(['squashfs', 'erofs', 'iso9660', 'cramfs', 'romfs', 'udf']);
/** Options of a mount that cannot be written. ext4 sets the latter two after an error, on a mount that stays `rw`. */
const READ_ONLY_FLAGS = ['ro', 'emergency_ro', 'shutdown'];
/** The folder of changing data on a machine whose root is a read-only image. */
const DATA_FOLDER = '/var';

/**
 * Selects the mounts to measure from the text of /proc/self/mounts; `initial` is that of /proc/1/mounts. Where the unit of the
 * agent sees every file system read-only, the mounts of process 1 say whether it is. A later mount hides earlier ones at and below its mount
 * point. If the root is read-only, as in an image, `system` is the file system of /var; in a read-only container, which has
 * none, it is the file system that holds the container.
 */
export function measuredMounts(mounts: string, initial = ''): MeasuredMounts {
  const writable = new Set(
    visibleMounts(initial)
      .filter(({ isWritable }) => isWritable)
      .map(keyOf),
  );
  const visible = visibleMounts(mounts).map((mount) =>
    writable.has(keyOf(mount)) ? { ...mount, isWritable: true } : mount,
  );
  const local = new Map<string, LocalMount>();
  for (const { device, point, type, isWritable } of visible)
    if (LOCAL_TYPES.has(type) && (!local.has(device) || (isWritable && local.get(device)?.isReadOnly)))
      local.set(device, { device, point, type, isReadOnly: !isWritable });
  const system = systemOf(visible);
  const found = [...local.values()];
  if (system !== null && !found.some(({ point }) => point === system)) {
    const { device = '', type = '' } = visible.find(({ point }) => point === system) ?? {};
    found.push({ device, point: system, type, isReadOnly: false });
  }
  return { mounts: found, system };
}

function keyOf({ device, point }: Mount): string {
  return `${device} ${point}`;
}

function systemOf(visible: readonly Mount[]): string | null {
  const root = visible.find(({ point }) => point === '/');
  if (root === undefined || root.isWritable) return '/';
  const holding = visible
    .filter(({ point, isWritable }) => isWritable && point !== '/' && isBelow(DATA_FOLDER, point))
    .toSorted((a, b) => b.point.length - a.point.length);
  return holding[0]?.point ?? (root.hasUpperLayer ? '/' : null);
}

function visibleMounts(mounts: string): Mount[] {
  let visible: Mount[] = [];
  for (const line of mounts.split('\n')) {
    const [device, path, type, options] = line.split(' ');
    if (device === undefined || path === undefined || type === undefined || options === undefined) continue;
    const point = path.replace(OCTAL_ESCAPE, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const flags = options.split(',');
    const isWritable = !READ_ONLY_FLAGS.some((flag) => flags.includes(flag)) && !READ_ONLY_TYPES.has(type);
    const hasUpperLayer = type === 'overlay' && flags.some((flag) => flag.startsWith('upperdir='));
    // A mount made before the root was mounted stays visible, because it moved with the root.
    const covers = (other: string) => other === point || (point !== '/' && isBelow(other, point));
    visible = visible.filter((mount) => !covers(mount.point));
    visible.push({ device, point, type, isWritable, hasUpperLayer });
  }
  return visible;
}

function isBelow(path: string, point: string): boolean {
  return path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`);
}
