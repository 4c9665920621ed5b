import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { placesIn, type RecordPlace } from './disk-record.ts';

export interface StoredRecord extends RecordPlace {
  /** The number of the file; later files have higher numbers, also after a restart. */
  segment: number;
}

/** The files of a buffer: records in the order in which they were appended, and the position of the oldest that waits. */
export interface DiskSegments {
  /** The records that waited when the folder was opened, oldest first. */
  readonly found: readonly StoredRecord[];
  /** The bytes at the ends of files that are no complete records. */
  readonly damagedBytes: number;
  /** Appends a record; `sync` waits until the disk has it. Throws an error of the system; the record is then not stored. */
  append(record: Buffer, textBytes: number, sync: boolean): StoredRecord;
  read(record: StoredRecord): Buffer;
  /** Records before `oldest` no longer wait; undefined if none waits. */
  advance(oldest: StoredRecord | undefined): void;
}

/** A file takes no further record once it has this size. */
const SEGMENT_BYTES = 1024 * 1024;
const SEGMENT = /^(\d{12})\.records$/;
const POSITION = 'position';

/** Opens the folder and creates it if needed. Throws an error of the system. */
export function openDiskSegments(folder: string): DiskSegments {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (segment: number) => join(folder, `${String(segment).padStart(12, '0')}.records`);
  const position = readPosition(join(folder, POSITION));
  const numbers = readdirSync(folder)
    .flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const found: StoredRecord[] = [];
  let files: number[] = [];
  let damagedBytes = 0;
  for (const segment of numbers) {
    const content = readFileSync(fileOf(segment));
    const places = placesIn(content);
    damagedBytes += content.length - places.reduce((sum, { length }) => sum + length, 0);
    for (const place of places)
      if (!isBefore({ segment, ...place }, position)) found.push({ segment, ...place });
    files.push(segment);
  }
  let newest = Math.max(position.segment, ...numbers);
  let open: { descriptor: number; size: number } | undefined;

  function closeFile(): void {
    if (open !== undefined) closeSync(open.descriptor);
    open = undefined;
  }

  function advance(oldest: StoredRecord | undefined): void {
    if (oldest === undefined) closeFile();
    const done = files.filter((segment) => oldest === undefined || segment < oldest.segment);
    for (const segment of done) rmSync(fileOf(segment), { force: true });
    files = files.filter((segment) => !done.includes(segment));
    // Not waited for: after a loss of power payloads may be sent again, which the service stores once.
    if (oldest !== undefined)
      writeFileSync(join(folder, POSITION), `${oldest.segment} ${oldest.offset}\n`, { mode: 0o600 });
  }

  if (files.length > 0) advance(found[0]);

  return {
    found,
    damagedBytes,
    append(record, textBytes, sync) {
      if (open === undefined || open.size + record.length > SEGMENT_BYTES) {
        closeFile();
        newest += 1;
        open = { descriptor: openSync(fileOf(newest), 'wx', 0o600), size: 0 };
        files.push(newest);
      }
      const { descriptor, size: offset } = open;
      if (writeSync(descriptor, record, 0, record.length, offset) < record.length)
        throw new Error('the disk is full');
      if (sync) fdatasyncSync(descriptor);
      open.size += record.length;
      return { segment: newest, offset, length: record.length, textBytes };
    },
    read({ segment, offset, length }) {
      const descriptor = openSync(fileOf(segment), 'r');
      try {
        const record = Buffer.alloc(length);
        if (readSync(descriptor, record, 0, length, offset) < length)
          throw new Error('the file ends too early');
        return record;
      } finally {
        closeSync(descriptor);
      }
    },
    advance,
  };
}

function isBefore(record: StoredRecord, position: { segment: number; offset: number }): boolean {
  return record.segment === position.segment
    ? record.offset < position.offset
    : record.segment < position.segment;
}

function readPosition(file: string): { segment: number; offset: number } {
  try {
    const [, segment, offset] = /^(\d{1,12}) (\d{1,12})\n$/.exec(readFileSync(file, 'utf8')) ?? [];
    return { segment: Number(segment ?? 0), offset: Number(offset ?? 0) };
  } catch {
    return { segment: 0, offset: 0 };
  }
}
