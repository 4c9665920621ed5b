import type { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import type { Transaction } from '@tidewatch/database/connection';
import { decodeRecord } from '@tidewatch/domain/chunk/log-record';
import { encodeLogRow, type LogRecord, LogRecords, recordTime } from '@tidewatch/domain/chunk/log-row';
import { logBucketOf, MIXED_BUCKET, SHARED_BUCKETS, sharedBucketOf } from './buckets.ts';
import { insertLogRows, type LogRow } from './log-row.ts';
import { takeLogRows } from './take-log-rows.ts';

/** What one transaction sorts, bytes. */
const MAX_SORTED_BYTES = 1024 * 1024;
/** A row has no more sections than this: each has memory of its own while it is packed. */
const MAX_SECTIONS = 256;

export interface Sorted {
  /** Whether more rows are left. */
  hasMore: boolean;
  damaged: { bucket: number; seq: number; error: MalformedBytesError }[];
}

/**
 * Moves the earliest records of the mixed bucket, up to the number `bound`, to rows of their buckets, without decoding their values.
 * Records of blocks that no longer exist are discarded.
 *
 * A sorted row has the number of its first record, and a seal that takes it takes everything up to its last one. So no row that may hold the
 * same blocks and is not sealed with it may lie between: where a shared bucket has any row, records go to it in place of the buckets that share it.
 */
export async function sortRows(tx: Transaction, bound: number): Promise<Sorted> {
  const taken = await takeLogRows(tx, [MIXED_BUCKET], bound, MAX_SORTED_BYTES);
  const records: LogRecord[] = [];
  const damaged = await taken.visitRecords(tx, (record) => records.push({ ...record }));
  if (records.length === 0) return { hasMore: taken.hasMore, damaged };
  const shared = await readSharedInUse(tx);
  const owners = await readOwners(tx, records, (bucket) =>
    shared.has(sharedBucketOf(bucket)) ? sharedBucketOf(bucket) : bucket,
  );
  const sorted = Map.groupBy(records, ({ anchor }) => owners.get(anchor)?.key);
  const pool: LogRecords[] = [];
  const rows: LogRow[] = [];
  for (const own of sorted.values()) {
    const owner = owners.get((own[0] as LogRecord).anchor);
    if (owner === undefined) continue;
    for (const sections of inRows(own)) rows.push(packRow(owner, sections, pool));
  }
  await insertLogRows(tx, rows);
  return { hasMore: taken.hasMore, damaged };
}

/** The number of the first row of any of these buckets; Infinity if they have none. */
export async function firstSeqOf(tx: Transaction, buckets: readonly number[]): Promise<number> {
  const [row] = await tx<{ seq: number | null }[]>`
    select min(seq) as seq from sample_log where bucket = any(${buckets as number[]}::smallint[])`;
  return row?.seq ?? Number.POSITIVE_INFINITY;
}

async function readSharedInUse(tx: Transaction): Promise<Set<number>> {
  const rows = await tx<{ bucket: number }[]>`
    select bucket from unnest(${SHARED_BUCKETS as number[]}::smallint[]) as b (bucket)
    where exists (select from sample_log l where l.bucket = b.bucket)`;
  return new Set(rows.map(({ bucket }) => bucket));
}

/** Whose rows hold a record. `key` is the same for the same organization and bucket. */
interface Owner {
  organizationId: string;
  bucket: number;
  key: string;
}

/**
 * The owner of each anchor, with the bucket that `placeOf` gives for that of a service. That of an anchor which was removed is the owner of
 * a block that its records name.
 */
async function readOwners(
  tx: Transaction,
  records: readonly LogRecord[],
  placeOf: (bucket: number) => number,
): Promise<Map<number, Owner>> {
  const owners = await readOwnersOf(tx, new Set(records.map(({ anchor }) => anchor)), placeOf);
  const anchors = new Map<number, number>();
  for (const record of records)
    if (!owners.has(record.anchor)) decodeRecord(record, ({ id }) => anchors.set(id, record.anchor));
  if (anchors.size > 0)
    for (const [id, owner] of await readOwnersOf(tx, anchors.keys(), placeOf))
      owners.set(anchors.get(id) as number, owner);
  return owners;
}

async function readOwnersOf(
  tx: Transaction,
  blockIds: Iterable<number>,
  placeOf: (bucket: number) => number,
): Promise<Map<number, Owner>> {
  const rows = await tx<{ id: number; organization_id: string; service_id: string }[]>`
    select id, organization_id, service_id from blocks where id = any(${[...blockIds]}::integer[])`;
  return new Map(
    rows.map(({ id, organization_id, service_id }) => {
      const bucket = placeOf(logBucketOf(service_id));
      return [id, { organizationId: organization_id, bucket, key: `${bucket} ${organization_id}` }];
    }),
  );
}

/** Divides records in order of seq into rows, each a list of the records of one transaction after another. */
function inRows(records: readonly LogRecord[]): LogRecord[][][] {
  const sections = [...Map.groupBy(records, ({ seq }) => seq).values()];
  const rows: LogRecord[][][] = [];
  for (let start = 0; start < sections.length; start += MAX_SECTIONS)
    rows.push(sections.slice(start, start + MAX_SECTIONS));
  return rows;
}

function packRow(
  { organizationId, bucket }: Owner,
  sections: readonly LogRecord[][],
  pool: LogRecords[],
): LogRow {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  const packed = sections.map((records, index) => {
    pool[index] ??= new LogRecords();
    const section = pool[index];
    section.clear();
    for (const record of records) {
      section.copy(record);
      const time = recordTime(record);
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
    return { seq: (records[0] as LogRecord).seq, records: section };
  });
  // Its number is that of its first section; see takeLogRows.
  return { organizationId, bucket, seq: packed[0]?.seq ?? 0, first, last, data: encodeLogRow(packed) };
}
