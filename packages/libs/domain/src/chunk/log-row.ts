import { ByteReader, MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { joinHead, openHead, requireEnd } from './checked-head.ts';
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
  // Those of the first records; the lists are kept and written again.
  readonly #anchors: number[] = [];
  readonly #ends: number[] = [];
  #count = 0;

  /** How many bytes the records take, without the head. */
  get length(): number {
    return this.#bytes.length;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Adds the values of one subject at one time: each of `ids` has sixteen values in `values`, NaN for a
   * slot without one. Throws RangeError for values that are infinite.
   */
  add(anchor: number, time: number, ids: ArrayLike<number>, values: ArrayLike<number>): void {
    encodeRecord(this.#bytes, time, ids, values);
    this.#end(anchor);
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
    this.#end(anchor);
  }

  /** Adds a record of another row as it is. */
  copy({ anchor, bytes, start, end }: LogRecord): void {
    this.#bytes.raw(bytes.subarray(start, end));
    this.#end(anchor);
  }

  clear(): void {
    this.#bytes.reset();
    this.#count = 0;
  }

  #end(anchor: number): void {
    this.#anchors[this.#count] = anchor;
    this.#ends[this.#count] = this.#bytes.length;
    this.#count += 1;
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

/** Some of the records that one transaction has in a row, one behind the other. */
export interface LogPiece {
  readonly seq: number;
  readonly bytes: Buffer;
  readonly count: number;
  /** Where the head has the first of these records, and where the head ends. */
  readonly headAt: number;
  readonly headEnd: number;
  /** Where the first of these records lies. */
  readonly start: number;
}

/** A piece takes less than a millisecond. */
const MAX_PIECE = 512;
const CHECKSUM_BYTES = 4;

/** The records of a row by pieces, in the order of the row. Throws MalformedBytesError if the head is damaged, or the row has another length. */
export function readLogPieces(bytes: Buffer): LogPiece[] {
  const { head: reader, partsStart } = openHead(bytes);
  const pieces: LogPiece[] = [];
  let start = partsStart;
  for (let sections = reader.count(); sections > 0; sections -= 1) {
    const seq = reader.varint();
    for (let left = reader.count(); left > 0; ) {
      const count = Math.min(left, MAX_PIECE);
      pieces.push({ seq, bytes, count, headAt: reader.at, headEnd: reader.end, start });
      for (let record = 0; record < count; record += 1) {
        reader.varint();
        start += reader.varint();
        reader.pass(CHECKSUM_BYTES);
      }
      left -= count;
    }
  }
  requireEnd(reader);
  if (start !== bytes.length) throw new MalformedBytesError('the length differs from that of the records');
  return pieces;
}

/**
 * Calls `visit` for the records of a piece that `isWanted` accepts by their anchors, always with the same object, and `onDamage` in place of those
 * that are damaged.
 */
export function visitRecords(
  { seq, bytes, count, headAt, headEnd, start }: LogPiece,
  visit: (record: LogRecord) => void,
  onDamage: (error: MalformedBytesError) => void,
  isWanted: ((anchor: number) => boolean) | null = null,
): void {
  const reader = new ByteReader(bytes, headAt, headEnd);
  const record = { seq, anchor: 0, bytes, start, end: start };
  for (let left = count; left > 0; left -= 1) {
    record.anchor = reader.varint();
    record.start = record.end;
    record.end += reader.varint();
    const expected = reader.uint32();
    if (isWanted !== null && !isWanted(record.anchor)) continue;
    if (checksum(bytes, record.start, record.end) === expected) visit(record);
    else onDamage(new MalformedBytesError('a part differs from its checksum'));
  }
}

/**
 * The records of a row that `isWanted` accepts by their anchors, in the order of the row, as places in its bytes. Throws
 * MalformedBytesError if the head is damaged, or the row is cut off, or one of these records is damaged.
 */
export function readLogRecords(bytes: Buffer, isWanted: (anchor: number) => boolean): LogRecord[] {
  const wanted: LogRecord[] = [];
  const fail = (error: MalformedBytesError): never => {
    throw error;
  };
  for (const piece of readLogPieces(bytes))
    visitRecords(piece, (record) => wanted.push({ ...record }), fail, isWanted);
  return wanted;
}

/** The time of the values of a record, ms. */
export const recordTime = (record: LogRecord): number =>
  new ByteReader(record.bytes, record.start, record.end).signed();
