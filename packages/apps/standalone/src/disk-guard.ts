import { statfs } from 'node:fs/promises';
import type { DiskFigures } from '@tidewatch/contracts/system/process-report';
import type { Admission } from '@tidewatch/runtime/http/admission';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { fillReserve } from './postgres/reserve.ts';

export interface DiskLimits {
  minFreeBytes: number;
  /** The min free space, in percent of the whole disk. */
  minFreePercent: number;
}

/** Returns why ingest must be closed with this free space and size of the disk, bytes; null if it may be open. */
export function shortage(free: number, total: number, limits: DiskLimits): string | null {
  const percent = total > 0 ? (100 * free) / total : 100;
  if (free >= limits.minFreeBytes && percent >= limits.minFreePercent) {
    return null;
  }
  const mebibytes = Math.floor(free / 2 ** 20);
  return `The disk has ${mebibytes} MiB (${percent.toFixed(1)} %) of free space left.`;
}

/** Reads free space and size of the disk of a folder. */
export async function readDisk(folder: string): Promise<DiskFigures> {
  const disk = await statfs(folder);
  return { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize };
}

/**
 * Closes ingest while the disk of the database's folder `home` is almost full, and otherwise keeps the database's reserve
 * filled; returns a function that stops this.
 */
export async function watchDisk(
  home: string,
  limits: DiskLimits,
  admission: Admission,
  logger: Logger,
): Promise<() => void> {
  let closed = false;
  async function look(): Promise<void> {
    const { freeBytes, totalBytes } = await readDisk(home);
    const reason = shortage(freeBytes, totalBytes, limits);
    if (reason) {
      admission.close({ code: 'storage_full', reason, retryAfterSeconds: 30 });
    } else {
      admission.open('storage_full');
      await fillReserve(home, limits.minFreeBytes);
    }
    if (closed !== (reason !== null)) {
      closed = reason !== null;
      if (closed)
        logger.warn(
          { reason },
          'the disk is almost full: ingest is closed and payloads are refused with 503',
        );
      else logger.info('the disk has enough free space again: ingest is open');
    }
  }
  await look();
  let looking = false;
  const timer = setInterval(() => {
    if (looking) {
      return;
    }
    looking = true;
    look()
      .catch((error) => logger.error({ err: error }, 'could not read the free space of the disk; retrying'))
      .finally(() => {
        looking = false;
      });
  }, 2_000);
  return () => clearInterval(timer);
}
