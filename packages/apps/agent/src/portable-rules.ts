/** The fields of a mount in systeminformation that the agent reads. */
export interface PortableMount {
  fs: string;
  type: string;
  mount: string;
  /** Bytes. */
  size: number;
  /** Percent. */
  use: number;
  /** Whether the file system is mounted writable; null if unknown. */
  rw: boolean | null;
}

/**
 * Types of file systems that are not measured, in lower case: network, memory and pseudo file systems, and images, which
 * are always full.
 */
const NOT_MEASURED =
  /^(nfs\d?|smbfs|cifs|afpfs|webdav|ftp|9p|devfs|devtmpfs|tmpfs|autofs|map .*|overlay|nullfs|lifs|fuse.*|macfuse|osxfuse|squashfs|erofs|iso9660|cd9660|cdfs|udf|cramfs|romfs|procfs|fdescfs|linprocfs)$/;
/** The volume of changing data on macOS, whose `/` is a read-only image. */
const DATA_VOLUME = '/System/Volumes/Data';

/**
 * The metrics disk_percent (of the root, or of the data volume if the root is read-only) and disk_fullest_percent (over all
 * local, writable mounts), by the rules of the Linux collector. Unknown values are undefined.
 */
export function diskMetrics(
  mounts: readonly PortableMount[],
  rootMount: string,
): Record<string, number | undefined> {
  const measured = mounts.filter(
    ({ type, rw, size, use }) =>
      rw !== false && size > 0 && Number.isFinite(use) && !NOT_MEASURED.test(type.toLowerCase()),
  );
  const at = (mount: string) => measured.find((each) => each.mount === mount)?.use;
  const isImage = mounts.some(({ mount, rw }) => mount === rootMount && rw === false);
  return {
    disk_percent: isImage || rootMount === '/' ? (at(DATA_VOLUME) ?? at(rootMount)) : at(rootMount),
    disk_fullest_percent: measured.length > 0 ? Math.max(...measured.map(({ use }) => use)) : undefined,
  };
}

const STACKED =
  /^(lo\d*|bridge\d+|bond\d+|vlan\d+|utun\d+|tun\d+|tap\d+|gif\d+|stf\d+|awdl\d+|llw\d+|ap\d+|vmnet\d+|vmenet\d+|feth\d+|epair\d+[ab]|veth.*|docker\d+|br-.*|vEthernet.*|Loopback.*|isatap.*|Teredo.*)$/i;

/** The interfaces whose traffic enters or leaves the host, selected by name; all except loopback if that leaves none. */
export function borderOf<Interface extends { iface: string }>(interfaces: readonly Interface[]): Interface[] {
  const border = interfaces.filter(({ iface }) => !STACKED.test(iface));
  return border.length > 0 ? border : interfaces.filter(({ iface }) => !/^lo\d*$|^Loopback/i.test(iface));
}
