import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import { readText, tryText } from '../files.ts';
import { type LocalMount, measuredMounts } from '../mounts.ts';
import { type FileSystemSize, usedPercent } from '../proc-host.ts';

/** How long a file system may take to answer, ms, before it is left out of a reading. */
const STATFS_TIMEOUT_MS = 1_000;

/**
 * Reads the local file systems as parts, the fullest first, and as metrics: disk_percent of `/` (or of /var if `/` is a
 * read-only image), and disk_fullest_percent, the max over the writable ones. In a container that reports its host, `mountRoot`
 * is where the host's root is mounted, and the mounts are those of the host's first process.
 */
export function createFileSystemCollector({
  procRoot,
  mountRoot = '/',
}: {
  procRoot: string;
  mountRoot?: string;
}): HostCollector {
  /** Mount points whose `statfs` has not returned; each blocks a thread, so it is not called again meanwhile. */
  const hanging = new Set<string>();

  async function sizeOf(point: string): Promise<FileSystemSize | undefined> {
    if (hanging.has(point)) return undefined;
    hanging.add(point);
    const size = statfs(join(mountRoot, point))
      .catch(() => undefined)
      .finally(() => hanging.delete(point));
    const late = new AbortController();
    const timeout = sleep(STATFS_TIMEOUT_MS, undefined, { signal: late.signal }).catch(() => undefined);
    const found = await Promise.race([size, timeout]);
    late.abort();
    return found;
  }

  return {
    name: 'filesystems',
    async read() {
      const { mounts, system } = measuredMounts(
        readText(procRoot, mountRoot === '/' ? 'self/mounts' : '1/mounts'),
        tryText(procRoot, '1/mounts'),
      );
      const points = new Set([...(system === null ? [] : [system]), ...mounts.map(({ point }) => point)]);
      const sizes = new Map<string, FileSystemSize>();
      await Promise.all(
        [...points].map(async (point) => {
          const size = await sizeOf(point);
          if (size !== undefined && size.blocks > 0) sizes.set(point, size);
        }),
      );
      const percentOf = (point: string) => {
        const size = sizes.get(point);
        return size && usedPercent(size);
      };
      const metrics: Record<string, number> = {};
      const used = system === null ? undefined : percentOf(system);
      if (used !== undefined) metrics.disk_percent = used;
      const fullest = mounts
        .filter(({ isReadOnly }) => !isReadOnly)
        .concat(mountOf(system, mounts))
        .flatMap(({ point }) => percentOf(point) ?? []);
      if (fullest.length > 0) metrics.disk_fullest_percent = Math.max(...fullest);
      const parts = mounts.concat(mountOf(system, mounts)).flatMap((mount) => {
        const size = sizes.get(mount.point);
        return size === undefined ? [] : [toPart(mount, size)];
      });
      const percent = ({ metrics: { used_percent = 0 } }: FoundPart) => used_percent;
      return { metrics, parts: parts.toSorted((a, b) => percent(b) - percent(a)) };
    },
  };
}

/** The file system of the root where it is no local one, such as the overlay of a container. */
function mountOf(system: string | null, mounts: readonly LocalMount[]): LocalMount[] {
  if (system === null || mounts.some(({ point }) => point === system)) return [];
  return [{ device: '', point: system, type: 'overlay', isReadOnly: false }];
}

function toPart({ device, point, type, isReadOnly }: LocalMount, size: FileSystemSize): FoundPart {
  const { bsize, blocks, bfree, bavail, files, ffree } = size;
  const metrics: Record<string, number> = {
    size_bytes: blocks * bsize,
    used_bytes: (blocks - bfree) * bsize,
    available_bytes: bavail * bsize,
    read_only: isReadOnly ? 1 : 0,
  };
  const used = usedPercent(size);
  if (used !== undefined) metrics.used_percent = used;
  // Some file systems, such as btrfs and vfat, have no fixed number of inodes and say 0.
  if (files > 0) {
    metrics.inodes_total = files;
    metrics.inodes_used = files - ffree;
    metrics.inodes_used_percent = ((files - ffree) / files) * 100;
  }
  return { kind: 'filesystem', name: point, labels: { type, device }, metrics };
}
