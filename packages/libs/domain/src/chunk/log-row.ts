import { ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { joinHead, openHead, readPartPlace, requireEnd, requirePart } from './checked-head.ts';
import { checksum } from './checksum.ts';
import { encodeLaidOut, encodeRecord, type RecordPlace } from './log-record.ts';
import type { RecordLayout } from './record-layout.ts';

/**
 * A row of the log of samples holds what transactions wrote about hosts of one bucket:
 *
 *   row     = version, checksum, head, record*
 *   head    = count of sections, section*
 *   section = seq, count of records, for each record: anchor, length, checksum
 *
 * The anchor is the id of the first block of a subject. A reader knows by the head alone which records it wants, and
 * passes over the others without reading them.
 */
export interface LogRecord extends RecordPlace {
  readonly seq: number;
  readonly anchor: number;
}

/** Collects the records of one transaction for one row, in the order in which they were added. */
export class LogRecords {
  readonly #bytes = new ByteWriter();
  readonly #anchors: number[] = [];
  readonly #ends: number[] = [];

  /** How many bytes the records take, without the head. */
  get length(): number {
    return this.#bytes.length;
  }

  get count(): number {
    return this.#anchors.length;
  }

  /**
   * Adds the values of one subject at one time: each of `ids` has sixteen values in `values`, NaN for a
   * slot without one. Throws RangeError for values that are infinite.
   */
  add(anchor: number, time: number, ids: ArrayLike<number>, values: ArrayLike<number>): void {
    encodeRecord(this.#bytes, time, ids, values);
    this.#anchors.push(anchor);
    this.#ends.push(this.#bytes.length);
  }

  /** Adds the same from values in the order in which they were reported; see `encodeLaidOut`. */
  addLaidOut(
    anchor: number,
    time: number,
    blocks: ArrayLike<{ readonly id: number }>,
    layout: RecordLayout,
    values: ArrayLike<number>,
  ): void {
    encodeLaidOut(this.#bytes, time, blocks, layout, values);
    this.#anchors.push(anchor);
    this.#ends.push(this.#bytes.length);
  }

  /** Adds a record of another row as it is. */
  copy({ anchor, bytes, start, end }: LogRecord): void {
    this.#bytes.raw(bytes.subarray(start, end));
    this.#anchors.push(anchor);
    this.#ends.push(this.#bytes.length);
  }

  clear(): void {
    this.#bytes.reset();
    this.#anchors.length = 0;
    this.#ends.length = 0;
  }

  /** Writes the section of a transaction into a head, and the records behind those that are there. */
  writeSection(seq: number, head: ByteWriter, records: ByteWriter): void {
    const bytes = this.#bytes.bytes();
    head.varint(seq);
    head.varint(this.count);
    let start = 0;
    for (let index = 0; index < this.count; index += 1) {
      const end = this.#ends[index] as number;
      head.varint(this.#anchors[index] as number);
      head.varint(end - start);
      head.uint32(checksum(bytes, start, end));
      start = end;
    }
    records.raw(bytes);
  }
}

const head = new ByteWriter();
const records = new ByteWriter();

/** Packs sections into a row: most rows have one, and rows of a bucket that were sorted later have several. */
export function encodeLogRow(sections: readonly { seq: number; records: LogRecords }[]): Buffer {
  head.reset();
  records.reset();
  head.varint(sections.length);
  for (const section of sections) section.records.writeSection(section.seq, head, records);
  return joinHead(head, records);
}

/**
 * The records of a row that `isWanted` accepts by their anchors, in the order of the row, as places in its bytes. Throws
 * MalformedBytesError if the head is damaged, or the row is cut off, or one of these records is damaged unless `onDamage` takes the
 * error; that record is left out then.
 */
export function readLogRecords(
  bytes: Buffer,
  isWanted: (anchor: number) => boolean,
  onDamage?: (error: MalformedBytesError) => void,
): LogRecord[] {
  const { head: reader, partsStart } = openHead(bytes);
  const wanted: LogRecord[] = [];
  let end = partsStart;
  for (let sections = reader.count(); sections > 0; sections -= 1) {
    const seq = reader.varint();
    for (let left = reader.count(); left > 0; left -= 1) {
      const anchor = reader.varint();
      const { start, end: next, checksum: expected } = readPartPlace(reader, end);
      end = next;
      if (!isWanted(anchor)) continue;
      try {
        requirePart(bytes, start, end, expected);
        wanted.push({ seq, anchor, bytes, start, end });
      } catch (error) {
        if (onDamage === undefined || !(error instanceof MalformedBytesError)) throw error;
        onDamage(error);
      }
    }
  }
  requireEnd(reader);
  if (end !== bytes.length) throw new MalformedBytesError('the length differs from that of the records');
  return wanted;
}

/** The time of the values of a record, ms. */
export const recordTime = (record: LogRecord): number =>
  new ByteReader(record.bytes, record.start, record.end).signed();
