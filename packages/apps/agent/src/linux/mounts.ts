/** A mount as /proc/self/mounts lists it; nothing in here reads a file. */
interface Mount {
  device: string;
  point: string;
  type: string;
  isWritable: boolean;
}

/** What of the mounts is measured. */
export interface MeasuredMounts {
  /** Mount points of local, writable file systems, each device once. */
  writable: string[];
  /** Where `disk_percent` is measured; null where nothing that can fill up holds the system. */
  system: string | null;
}

const OCTAL_ESCAPE = /\\([0-7]{3})/g;
// Local file systems only: statfs of a network mount whose server is away blocks for minutes.
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
/** File systems that are full by design. */
const READ_ONLY_TYPES = new Set(['squashfs', 'erofs', 'iso9660', 'cramfs', 'romfs', 'udf']);
/** Where what changes is kept on a machine whose root is a read-only image. */
const CHANGING = '/var';

/**
 * Which mounts are measured. Of several mounts of one point only the last can be seen, and nothing below a point that was
 * mounted over. Where the root is read-only, as an image is, `system` is the file system that holds /var.
 */
export function measuredMounts(mounts: string): MeasuredMounts {
  const visible = visibleMounts(mounts);
  const writable = new Map<string, string>();
  for (const { device, point, type, isWritable } of visible)
    if (isWritable && LOCAL_TYPES.has(type) && !writable.has(device)) writable.set(device, point);
  return { writable: [...writable.values()], system: systemOf(visible) };
}

function systemOf(visible: readonly Mount[]): string | null {
  const root = visible.find(({ point }) => point === '/');
  if (root === undefined || root.isWritable) return '/';
  const holding = visible
    .filter(({ point, isWritable }) => isWritable && point !== '/' && isBelow(CHANGING, point))
    .toSorted((a, b) => b.point.length - a.point.length);
  return holding[0]?.point ?? null;
}

function visibleMounts(mounts: string): Mount[] {
  let visible: Mount[] = [];
  for (const line of mounts.split('\n')) {
    const [device, path, type, options] = line.split(' ');
    if (device === undefined || path === undefined || type === undefined || options === undefined) continue;
    const point = path.replace(OCTAL_ESCAPE, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isWritable = !options.split(',').includes('ro') && !READ_ONLY_TYPES.has(type);
    // What was mounted before the root moved along with it.
    const covers = (other: string) => other === point || (point !== '/' && isBelow(other, point));
    visible = visible.filter((mount) => !covers(mount.point));
    visible.push({ device, point, type, isWritable });
  }
  return visible;
}

function isBelow(path: string, point: string): boolean {
  return path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`);
}
