import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type BufferBounds, chooseBatch, type PayloadBuffer, surplusOf } from './buffer.ts';
import { packRecord, unpackRecord } from './disk-record.ts';
import { type DiskSegments, openDiskSegments, type StoredRecord } from './disk-segments.ts';

/** A payload that waits: in a file, or in memory while the disk takes nothing. */
interface Entry {
  /** The size on the disk or in memory. */
  bytes: number;
  textBytes: number;
  stored: StoredRecord | undefined;
  /** The payload, where it need not be read from the disk: the newest `gathered` ones, and one that could not be written. */
  body: string | undefined;
}

/**
 * Opens a buffer of payloads in a folder, which survives restarts. A payload is written before `push` returns; the disk is waited for
 * when `gathered` others wait already, since a loss of power costs what is gathered or being sent otherwise. What is damaged is left out and
 * logged, also what becomes so later. One agent may use the folder, which `lockFolder` ensures. Throws a ConfigError if the folder cannot be used.
 */
export function openDiskBuffer(
  folder: string,
  bounds: BufferBounds,
  logger: Logger,
  gathered = 1,
): PayloadBuffer {
  const segments = openFolder(folder);
  let entries: Entry[] = segments.found.map((stored) => ({
    bytes: stored.length,
    textBytes: stored.textBytes,
    stored,
    body: undefined,
  }));
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  let isWritable = true;
  let unreadable = 0;
  if (segments.damagedBytes > 0)
    logger.warn(
      { folder, bytes: segments.damagedBytes },
      'the end of a buffered file is damaged and was left out',
    );
  if (entries.length > 0)
    logger.info({ folder, payloads: entries.length }, 'sending payloads of an earlier run');

  function store(body: string): Entry {
    const record = packRecord(body);
    const textBytes = Buffer.byteLength(body);
    try {
      const stored = segments.append(record, textBytes, entries.length >= gathered);
      if (!isWritable) logger.info({ folder }, 'the buffer can be written again');
      isWritable = true;
      return { bytes: record.length, textBytes, stored, body };
    } catch (error) {
      if (isWritable)
        logger.error({ err: error, folder }, 'could not write the buffer; payloads are kept in memory');
      isWritable = false;
      return { bytes: textBytes, textBytes, stored: undefined, body };
    }
  }

  function shift(count: number): void {
    for (const { bytes } of entries.slice(0, count)) total -= bytes;
    entries = entries.slice(count);
    try {
      segments.advance(entries.find(({ stored }) => stored !== undefined)?.stored);
    } catch (error) {
      logger.warn({ err: error, folder }, 'could not remove payloads from the buffer that were sent');
    }
  }

  /** The texts of the oldest entries up to `count` and `bytes`. Those that cannot be read are removed. */
  function peek(count: number, bytes: number): string[] {
    const lost = new Set<Entry>();
    let fault: unknown;
    const texts = chooseBatch(entries, count, bytes).flatMap((entry) => {
      try {
        return [textOf(entry, segments)];
      } catch (error) {
        fault = error;
        lost.add(entry);
        return [];
      }
    });
    if (lost.size === 0) return texts;
    unreadable += lost.size;
    for (const entry of lost) total -= entry.bytes;
    entries = entries.filter((entry) => !lost.has(entry));
    logger.error(
      { err: fault, folder, dropped: lost.size, unreadableInTotal: unreadable },
      'dropped payloads of the buffer that cannot be read',
    );
    return texts.length > 0 || entries.length === 0 ? texts : peek(count, bytes);
  }

  return {
    isKept: true,
    get unreadable() {
      return unreadable;
    },
    get length() {
      return entries.length;
    },
    get bytes() {
      return total;
    },
    push(body) {
      const older = entries.at(-gathered);
      if (older?.stored !== undefined) older.body = undefined;
      const entry = store(body);
      entries.push(entry);
      total += entry.bytes;
      const dropped = surplusOf(entries, total, bounds);
      if (dropped > 0) shift(dropped);
      return dropped;
    },
    peek,
    shift,
  };
}

function textOf({ body, stored }: Entry, segments: DiskSegments): string {
  if (body !== undefined) return body;
  if (stored === undefined) throw new Error('a payload is neither in memory nor on the disk');
  return unpackRecord(segments.read(stored));
}

function openFolder(folder: string): DiskSegments {
  try {
    return openDiskSegments(folder);
  } catch (error) {
    throw new ConfigError(`--buffer-dir ${folder} is not usable: ${(error as NodeJS.ErrnoException).code}`);
  }
}
