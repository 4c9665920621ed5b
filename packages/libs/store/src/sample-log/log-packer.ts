import { encodeLogRow, LogRecords } from '@tidewatch/domain/chunk/log-row';
import type { RecordLayout } from '@tidewatch/domain/chunk/record-layout';
import { MIXED_BUCKET, sharedBucketOf } from './buckets.ts';
import type { LogRow } from './log-row.ts';

/** Rows of fewer bytes on average become rows of several buckets: what a row costs beside its bytes is then more than they. */
const MIN_ROW_BYTES = 1_024;
/** A row with this many bytes takes no more records: half of what a row may have, since a record is smaller than the other half. */
const FULL_ROW_BYTES = 512 * 1024;
/** How many bytes the head of a row has for each record, at most. */
const MAX_RECORD_HEAD_BYTES = 16;
/** How much of the memory for records is kept from one transaction to the next. */
const MAX_KEPT_RECORDS = 256;

/** Records of one organization and bucket that become one row. */
class OpenRow {
  readonly bucket: number;
  /** How many rows of the same bucket were full before. */
  readonly turn: number;
  readonly records: LogRecords;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;

  constructor(bucket: number, turn: number, records: LogRecords) {
    this.bucket = bucket;
    this.turn = turn;
    this.records = records;
  }

  get bytes(): number {
    return this.records.length + this.records.count * MAX_RECORD_HEAD_BYTES;
  }
}

/** The rows of an organization: `newest` has the row of each bucket that takes more records, `all` has full ones too. */
interface OpenRows {
  all: OpenRow[];
  newest: Map<number, OpenRow>;
}

/** Which rows of buckets become one: each its own, those that share a bucket, or all, so that they have `minRowBytes` on average. */
function packsOf(
  all: readonly OpenRow[],
  minRowBytes: number,
): Iterable<[bucket: number, pack: readonly OpenRow[]]> {
  const bytes = all.reduce((sum, row) => sum + row.bytes, 0);
  if (bytes >= all.length * minRowBytes) return all.map((row) => [row.bucket, [row]]);
  const shared = Map.groupBy(all, ({ bucket }) => sharedBucketOf(bucket));
  return bytes >= shared.size * minRowBytes ? shared : [[MIXED_BUCKET, all]];
}

/** Packs the samples of one transaction into rows of the log: for each organization one for each bucket, or for several or all of them. */
export class LogPacker {
  readonly #organizations = new Map<string, OpenRows>();
  readonly #spare: LogRecords[] = [];
  readonly #minRowBytes: number;

  /**
   * How many numbers the rows need: one unless a bucket has several rows, since only the numbers say which of two rows counts. None
   * without samples.
   */
  turns = 0;

  /** `minRowBytes`: how many bytes rows of single buckets, and rows of shared ones, have at least on average. */
  constructor(minRowBytes = MIN_ROW_BYTES) {
    this.#minRowBytes = minRowBytes;
  }

  /**
   * Adds the values of one subject at one time (ms): each of `ids` has sixteen values in `values`, NaN for a slot without one.
   * `anchor` is the id of the subject's first block. Throws RangeError for values that are infinite.
   */
  add(
    organizationId: string,
    bucket: number,
    anchor: number,
    time: number,
    ids: ArrayLike<number>,
    values: ArrayLike<number>,
  ): void {
    const row = this.#rowFor(organizationId, bucket);
    row.records.add(anchor, time, ids, values);
    if (time < row.first) row.first = time;
    if (time > row.last) row.last = time;
  }

  /** Adds the same from values in the order in which they were reported. `blocks` are those of the subject, by their ordinals. */
  addLaidOut(
    organizationId: string,
    bucket: number,
    blocks: readonly { readonly id: number }[],
    time: number,
    layout: RecordLayout,
    values: ArrayLike<number>,
  ): void {
    const row = this.#rowFor(organizationId, bucket);
    // Where the first block was removed, the list begins with a hole.
    const anchor = (blocks[0] ?? blocks.find((block) => block !== undefined))?.id as number;
    row.records.addLaidOut(anchor, time, blocks, layout, values);
    if (time < row.first) row.first = time;
    if (time > row.last) row.last = time;
  }

  /** The rows of what was added. `seqs`: the numbers that the transaction drew for them, in order. */
  rows(seqs: readonly number[]): LogRow[] {
    const rows: LogRow[] = [];
    const seqOf = (row: OpenRow | undefined) => seqs[row?.turn ?? 0] as number;
    for (const [organizationId, { all }] of this.#organizations) {
      for (const [bucket, pack] of packsOf(all, this.#minRowBytes)) {
        rows.push({
          organizationId,
          seq: seqOf(pack[0]),
          bucket: pack.length === 1 ? (pack[0] as OpenRow).bucket : bucket,
          first: Math.min(...pack.map(({ first }) => first)),
          last: Math.max(...pack.map(({ last }) => last)),
          data: encodeLogRow(pack.map((row) => ({ seq: seqOf(row), records: row.records }))),
        });
      }
    }
    return rows;
  }

  clear(): void {
    for (const { all } of this.#organizations.values())
      for (const { records } of all) {
        if (this.#spare.length === MAX_KEPT_RECORDS) break;
        records.clear();
        this.#spare.push(records);
      }
    this.#organizations.clear();
    this.turns = 0;
  }

  #rowFor(organizationId: string, bucket: number): OpenRow {
    let rows = this.#organizations.get(organizationId);
    if (rows === undefined) {
      rows = { all: [], newest: new Map() };
      this.#organizations.set(organizationId, rows);
    }
    const newest = rows.newest.get(bucket);
    if (newest !== undefined && newest.bytes < FULL_ROW_BYTES) return newest;
    const turn = newest === undefined ? 0 : newest.turn + 1;
    this.turns = Math.max(this.turns, turn + 1);
    const row = new OpenRow(bucket, turn, this.#spare.pop() ?? new LogRecords());
    rows.newest.set(bucket, row);
    rows.all.push(row);
    return row;
  }
}
