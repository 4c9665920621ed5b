import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { openHead, requireEnd } from './checked-head.ts';
import { checksum } from './checksum.ts';
import type { RecordPlace } from './log-record.ts';

/** A record and the number of its transaction. */
export interface PlacedRecord extends RecordPlace {
  readonly seq: number;
  readonly anchor: number;
}

/** What a record costs beside its bytes. */
const RECORD_BYTES = 48;

/**
 * Rows of the log that lie behind each other, of which the heads were read once: a question finds the records of its subjects without
 * reading anything else. A record is checked when it is first asked for.
 */
export class IndexedLogRows {
  /** The numbers of the rows, ascending. */
  readonly rowSeqs: readonly number[];
  readonly #lengths: readonly number[];
  readonly #bytes: Buffer;
  /** Where the records of each row begin among those of all, and where the last one ends. */
  readonly #firstRecords: number[] = [];
  readonly #seqs: number[] = [];
  readonly #anchors: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #checksums: number[] = [];
  readonly #areChecked: boolean[] = [];

  /** Throws MalformedBytesError if the head of a row is damaged, or the rows have other lengths. */
  constructor(bytes: Buffer, rowSeqs: readonly number[], lengths: readonly number[]) {
    this.#bytes = bytes;
    this.rowSeqs = rowSeqs;
    this.#lengths = lengths;
    let start = 0;
    for (const length of lengths) {
      this.#firstRecords.push(this.#seqs.length);
      this.#index(start, start + length);
      start += length;
    }
    this.#firstRecords.push(this.#seqs.length);
    if (start !== bytes.length || rowSeqs.length !== lengths.length)
      throw new MalformedBytesError('rows of other lengths');
  }

  /** What the rows take in memory, bytes. */
  get size(): number {
    return this.#bytes.length + RECORD_BYTES * this.#seqs.length;
  }

  #index(start: number, rowEnd: number): void {
    const { head, partsStart } = openHead(this.#bytes, start);
    let end = partsStart;
    for (let sections = head.count(); sections > 0; sections -= 1) {
      const seq = head.varint();
      for (let left = head.count(); left > 0; left -= 1) {
        this.#seqs.push(seq);
        this.#anchors.push(head.varint());
        this.#starts.push(end);
        end += head.varint();
        this.#ends.push(end);
        this.#checksums.push(head.uint32());
        this.#areChecked.push(false);
      }
    }
    requireEnd(head);
    if (end !== rowEnd) throw new MalformedBytesError('the length differs from that of the records');
  }

  /**
   * Calls `visit` for the records that `isWanted` accepts by their anchors, of rows with the number `fromSeq` or a later one, in their order and
   * always with the same object. Throws MalformedBytesError if one of these is damaged.
   */
  visitRecords(
    isWanted: (anchor: number) => boolean,
    fromSeq: number,
    visit: (record: PlacedRecord) => void,
  ): void {
    const firstRow = this.rowSeqs.findIndex((seq) => seq >= fromSeq);
    if (firstRow === -1) return;
    const bytes = this.#bytes;
    const record = { seq: 0, anchor: 0, bytes, start: 0, end: 0 };
    for (let at = this.#firstRecords[firstRow] as number; at < this.#seqs.length; at += 1) {
      const anchor = this.#anchors[at] as number;
      if (!isWanted(anchor)) continue;
      const start = this.#starts[at] as number;
      const end = this.#ends[at] as number;
      if (this.#areChecked[at] === false) {
        if (checksum(bytes, start, end) !== this.#checksums[at])
          throw new MalformedBytesError('a part differs from its checksum');
        this.#areChecked[at] = true;
      }
      record.seq = this.#seqs[at] as number;
      record.anchor = anchor;
      record.start = start;
      record.end = end;
      visit(record);
    }
  }

  /** The rows of all, which follow each other, as one; without those before `fromSeq`. */
  static join(all: readonly IndexedLogRows[], fromSeq: number): IndexedLogRows {
    const kept = all.flatMap((rows) => rows.#from(fromSeq));
    return new IndexedLogRows(
      Buffer.concat(kept.map(({ bytes }) => bytes)),
      kept.map(({ seq }) => seq),
      kept.map(({ bytes }) => bytes.length),
    );
  }

  #from(seq: number): { seq: number; bytes: Buffer }[] {
    let start = 0;
    return this.#lengths
      .map((length, row) => {
        start += length;
        return { seq: this.rowSeqs[row] as number, bytes: this.#bytes.subarray(start - length, start) };
      })
      .filter((row) => row.seq >= seq);
  }
}
