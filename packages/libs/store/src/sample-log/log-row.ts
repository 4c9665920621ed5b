import { sendBeforeCommit } from '@tidewatch/database/before-commit';
import type { Transaction } from '@tidewatch/database/connection';

/** A row of `sample_log`. Times in ms. */
export interface LogRow {
  organizationId: string;
  /** 0 … 255, or that of small transactions. */
  bucket: number;
  /** The number of the transaction, or one of several where a bucket has several rows of it. */
  seq: number;
  /** Of the earliest sample. */
  first: number;
  /** Of the latest sample. */
  last: number;
  /** What `encodeLogRow` returned. */
  data: Buffer;
}

/** The size of the data that one statement inserts, bytes. */
const MAX_STATEMENT_BYTES = 2 * 1024 * 1024;

/**
 * Inserts rows into the log. Not by COPY, which PostgreSQL refuses for tables with
 * row-level security; instead all data of a statement are one parameter.
 */
export async function insertLogRows(tx: Transaction, rows: readonly LogRow[]): Promise<void> {
  for (const part of partsOf(rows)) await insertPart(tx, part);
}

/** The same as the last statement of a transaction, which fails if it does: see `sendBeforeCommit`. */
export async function insertLastLogRows(tx: Transaction, rows: readonly LogRow[]): Promise<void> {
  const parts = partsOf(rows);
  const last = parts.pop();
  for (const part of parts) await insertPart(tx, part);
  if (last !== undefined) await sendBeforeCommit(tx, insertPart(tx, last));
}

function partsOf(rows: readonly LogRow[]): (readonly LogRow[])[] {
  const parts: (readonly LogRow[])[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start;
    for (let bytes = 0; end < rows.length && (end === start || bytes < MAX_STATEMENT_BYTES); end += 1)
      bytes += (rows[end] as LogRow).data.length;
    parts.push(rows.slice(start, end));
    start = end;
  }
  return parts;
}

function insertPart(tx: Transaction, rows: readonly LogRow[]) {
  const data = rows.length === 1 ? (rows[0] as LogRow).data : Buffer.concat(rows.map((row) => row.data));
  return tx`
    insert into sample_log (organization_id, bucket, seq, first, last, data)
    select organization_id, bucket, seq, first, last, substring(${data}::bytea from start for size)
    from unnest(${rows.map((row) => row.organizationId)}::text[], ${rows.map((row) => row.bucket)}::smallint[],
      ${rows.map((row) => row.seq)}::bigint[], ${rows.map((row) => row.first)}::timestamptz[],
      ${rows.map((row) => row.last)}::timestamptz[], ${startsOf(rows)}::integer[],
      ${rows.map((row) => row.data.length)}::integer[]) as r (organization_id, bucket, seq, first, last, start, size)`;
}

/** Where the data of each row begins, as SQL counts. */
function startsOf(rows: readonly LogRow[]): number[] {
  let start = 1;
  return rows.map((row) => {
    const own = start;
    start += row.data.length;
    return own;
  });
}
