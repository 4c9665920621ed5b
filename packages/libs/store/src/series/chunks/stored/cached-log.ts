import { IndexedLogRows, type PlacedRecord } from '@tidewatch/domain/chunk/indexed-log-rows';

/** The rows of one organization and bucket of the log, as one snapshot has them. */
export class BucketRows {
  /** Those before this number are sealed. */
  readonly fromSeq: number;
  /** In the order of their numbers. */
  readonly parts: readonly IndexedLogRows[];

  constructor(fromSeq: number, parts: readonly IndexedLogRows[]) {
    this.fromSeq = fromSeq;
    this.parts = parts;
  }

  /** The number of the last row, 0 if there is none. */
  get lastSeq(): number {
    return this.parts.at(-1)?.rowSeqs.at(-1) ?? 0;
  }

  /** bytes */
  get size(): number {
    return this.parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** Calls `visit` for the records that `isWanted` accepts by their anchors; of each part with the same object. */
  visitRecords(isWanted: (anchor: number) => boolean, visit: (record: PlacedRecord) => void): void {
    for (const part of this.parts) part.visitRecords(isWanted, this.fromSeq, visit);
  }

  /**
   * The rows of a snapshot in which `count` rows up to `lastSeq` are left, of which the first has the number `fromSeq`, and whose numbers have
   * this sum. Null if these are not the known ones: seals remove the first rows of a bucket, so other rows were added, or the snapshot is
   * an older one.
   */
  leftIn({ count, sum, fromSeq }: KnownRowsLeft): BucketRows | null {
    const left = this.parts.flatMap(({ rowSeqs }) => rowSeqs.filter((seq) => seq >= fromSeq));
    if (left.length !== count || left.reduce((total, seq) => total + seq, 0) !== sum) return null;
    return new BucketRows(
      fromSeq,
      this.parts.filter(({ rowSeqs }) => (rowSeqs.at(-1) ?? 0) >= fromSeq),
    );
  }

  /** These rows and later ones. */
  with(later: IndexedLogRows): BucketRows {
    const parts = [...this.parts, later];
    if (parts.length <= MAX_PARTS) return new BucketRows(this.fromSeq, parts);
    return new BucketRows(this.fromSeq, [IndexedLogRows.join(parts, this.fromSeq)]);
  }
}

/** What a statement finds of the rows that are known. */
export interface KnownRowsLeft {
  count: number;
  sum: number;
  fromSeq: number;
}

/** From this number on parts are joined: each question that finds new rows adds one. */
const MAX_PARTS = 24;

export const NO_ROWS = new BucketRows(0, []);

/** Rows of the log that were read, of the buckets that were asked for last. */
export class LogCache {
  readonly #maxBytes: number;
  readonly #buckets = new Map<string, BucketRows>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** bytes */
  get size(): number {
    return this.#bytes;
  }

  of(key: string): BucketRows {
    return this.#buckets.get(key) ?? NO_ROWS;
  }

  /** Keeps the rows of a bucket, unless later ones are known. */
  keep(key: string, rows: BucketRows): void {
    const known = this.#buckets.get(key);
    if (known !== undefined) {
      if (known.lastSeq > rows.lastSeq) return;
      this.#remove(key, known);
    }
    this.#buckets.set(key, rows);
    this.#bytes += rows.size;
    for (const [oldest, own] of this.#buckets) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest, own);
    }
  }

  #remove(key: string, rows: BucketRows): void {
    this.#buckets.delete(key);
    this.#bytes -= rows.size;
  }
}
